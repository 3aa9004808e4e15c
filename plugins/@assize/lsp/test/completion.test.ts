import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeProfile } from 'assize/language';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { REFERENCES } from '../src/service/references.js';
import { SchemaWalk } from '../src/service/schema.js';
import { accept, completionsAt, labelsAt, nodeService, withCursor } from './service.js';

describe('keys', () => {
  test('of the root, also in an empty text and under scoring', async () => {
    expect(await labelsAt('|')).toEqual(expect.arrayContaining(['tier2_scorers', 'extends', 'select', 'scoring']));
    expect(await labelsAt('name: x\nti|')).toContain('tier1_scorers');
    expect(await labelsAt('scoring:\n  |')).toContain('tier2_scorers');
  });

  test('of an entry: those that are not written, the required ones first', async () => {
    const found = await labelsAt('tier2_scorers:\n  - id: a\n    |\n');
    expect(found).toEqual(expect.arrayContaining(['class', 'expr', 'weight', 'on_absent']));
    expect(found).not.toContain('id');
    expect((await labelsAt('tier2_scorers:\n  - |'))[0]).toBe('id');
    expect(await labelsAt('tier2_scorers:\n  - { id: a, expr: x, | }')).not.toContain('class');
  });

  test.each([
    ['a flow map that is not closed', 'tier2_scorers:\n  - { id: a, cl|\n  - { id: b, expr: candidate.b }\n'],
    ['a flow map over several lines', 'tier2_scorers:\n  - { id: a,\n      |\n'],
    ['a list without more indentation', 'tier2_scorers:\n- id: a\n  c|\nselect: { top: 3 }\n'],
    ['after a quote that is not closed elsewhere', "tier2_scorers:\n  - { id: b, expr: 'x\n  - id: a\n    |"],
    ['after a tab and a duplicate key', 'name: a\nname: b\ntier2_scorers:\n  - id: a\n    |'],
    ['JSON', '{\n"tier2_scorers": [{"id": "a", "|'],
  ])('in a broken text: %s', async (_, text) => {
    expect(await labelsAt(text)).toEqual(expect.arrayContaining(['class', 'weight']));
  });

  test('of params, by class, and inside them', async () => {
    const text = (params: string) => `tier2_scorers:\n  - id: a\n    class: DecayScorer\n    params: ${params}`;
    expect(await labelsAt(text('{ | }'))).toEqual(['curve', 'field', 'format', 'null_timestamp_score']);
    expect(await labelsAt(text('{ curve: { type: window, | } }'))).toEqual(['max_age']);
    const child = 'class: ScaledScorer, params: { scorer: { | } }';
    expect(await labelsAt(`tier2_scorers: [{ id: a, ${child} }]`)).toEqual(
      expect.arrayContaining(['class', 'expr', 'params']),
    );
  });

  test('of weights: the ids of scorers, those of an extended preset included', async () => {
    const text = 'extends: [knowledgepulse]\nweights: { by: candidate.k, cases: { x: { | } } }\n';
    expect(await labelsAt(text)).toEqual(expect.arrayContaining(['novelty']));
  });

  test('a list of entries starts with its first dash', async () => {
    const { text } = withCursor('name: x\nmeas|');
    const measures = (await completionsAt('name: x\nmeas|')).find(({ label }) => label === 'measures');
    expect(measures && accept(text, measures)).toBe('name: x\nmeasures:\n  - ');
  });

  test('a key that is edited keeps its colon', async () => {
    const [first] = (await completionsAt('tier2_scorers:\n  - { id: a, wei|: 3 }')).filter(
      ({ label }) => label === 'weight',
    );
    expect(first?.change.text).toBe('weight');
  });

  test('not in comments, nor directly after a colon or a dash', async () => {
    for (const text of ['# |', 'name: x # |', 'combine:|', 'tier2_scorers:\n  -|', "name: 'x'|"])
      expect(await labelsAt(text)).toEqual([]);
  });
});

describe('values', () => {
  test('that the schema lists', async () => {
    expect(await labelsAt('combine: |')).toEqual(expect.arrayContaining(['weighted_mean', 'max']));
    expect(await labelsAt('veto_on_first: |')).toEqual(['true', 'false']);
    expect(await labelsAt('tier1_scorers: [{ id: a, expr: x, on_error: | }]')).toEqual(['refuse', 'pass', 'fail']);
  });

  test('classes of the right kind', async () => {
    const found = await labelsAt('tier2_scorers:\n  - id: a\n    class: |\n');
    expect(found).toEqual(expect.arrayContaining(['DecayScorer', 'BM25Scorer']));
    expect(found.indexOf('DecayScorer')).toBeLessThan(found.indexOf('TagScorer'));
    expect(await labelsAt('select: { pack: { class: | } }')).toContain('GroupPack');
    expect(await labelsAt('select: { pack: { class: | } }')).not.toContain('DecayScorer');
    expect(await labelsAt('plugins: [interview]\nstrategies: [{ id: a, focus: { class: | } }]')).toContain(
      'MostRecentNode',
    );
  });

  test('a class of another plugin adds the plugin', async () => {
    const marked = 'plugins: [rerank]\ntier2_scorers:\n  - id: a\n    class: |\n';
    const tag = (await completionsAt(marked)).find(({ label }) => label === 'TagScorer');
    expect(tag && accept(withCursor(marked).text, tag)).toBe(
      'plugins: [rerank, cupel]\ntier2_scorers:\n  - id: a\n    class: TagScorer\n',
    );
  });

  test('the classes of a plugin that is a file', async () => {
    const folder = temporaryFolder('lsp-');
    const plugin = `import { scorer } from 'assize/sdk';\nexport const Stars = scorer((repo) => repo.stars);\n`;
    writeFileSync(join(folder, 'mine.mjs'), plugin);
    const marked = 'plugins: [./mine.mjs]\ntier2_scorers:\n  - { id: a, class: | }\n';
    const { text, offset } = withCursor(marked);
    const found = await nodeService().complete(text, offset, join(folder, 'p.yaml'));
    expect(found.map(({ label }) => label)).toContain('Stars');
  });

  test('presets and plugins', async () => {
    expect(await labelsAt('extends: [|]')).toContain('knowledgepulse');
    expect(await labelsAt('extends:\n  - know|')).toContain('rag');
    expect(await labelsAt('plugins: [cupel, |]')).toEqual(expect.not.arrayContaining(['cupel']));
  });

  test('ids, where a profile refers to entries', async () => {
    const entries = 'tier2_scorers: [{ id: a, expr: x }, { id: b, expr: y }]\nstrategies: [{ id: deepen }]\n';
    expect(await labelsAt(`${entries}rerank: { top: 9, ask: [a, |] }`)).toEqual(['b']);
    expect(await labelsAt(`${entries}fallback: [{ use: | }]`)).toEqual(['deepen']);
    expect(await labelsAt('adjustments: [{ id: a, set: 1 }, { id: b, set: 2, before: | }]')).toEqual(['a']);
  });

  test('paths of candidates, from the sample', async () => {
    const found = await completionsAt('tier2_scorers: [{ id: a, class: DecayScorer, params: { field: | } }]');
    expect(found.map(({ label }) => label)).toEqual(expect.arrayContaining(['stars', 'owner.login', '["odd name"]']));
    expect(found.find(({ label }) => label === '["odd name"]')?.change.text).toBe(`'["odd name"]'`);
  });
});

describe('expressions', () => {
  test('variables and functions of their scope', async () => {
    const scorer = await labelsAt("tier2_scorers: [{ id: a, expr: '|' }]");
    expect(scorer).toEqual(expect.arrayContaining(['candidate', 'context', 'measures', 'clamp', 'has', 'math.round']));
    expect(scorer).not.toContain('score');
    expect(await labelsAt("adjustments: [{ id: a, when: '|' }]")).toEqual(expect.arrayContaining(['score', 'scores']));
    expect(await labelsAt('select: { top: "|" }')).not.toContain('candidate');
  });

  test('fields of the candidate, from the sample and from other expressions', async () => {
    const text = "tier1_scorers: [{ id: v, expr: candidate.fork }]\ntier2_scorers: [{ id: a, expr: 'candidate.|";
    const found = await completionsAt(text);
    expect(found[0]).toMatchObject({ label: 'id', detail: 'string, such as "a"' });
    expect(found.map(({ label }) => label)).toEqual(expect.arrayContaining(['stars', 'owner', 'fork', 'size']));
    expect(await labelsAt("tier2_scorers: [{ id: a, expr: 'candidate.owner.l|' }]")).toContain('login');
    const list = await labelsAt("tier2_scorers: [{ id: a, expr: 'candidate.tags.|' }]");
    expect(list).toEqual(expect.arrayContaining(['exists', 'size']));
    expect(list).not.toContain('lower');
  });

  test('ids of measures, scores, signals and statistics; names of let', async () => {
    const text = [
      'let: { cheap: candidate.price < 3 }',
      'measures: [{ id: tools, expr: candidate.n }]',
      'stats: { price: candidate.price }',
      'tier2_scorers: [{ id: a, expr: x }]',
      'adjustments:',
      "  - { id: r, when: '",
    ].join('\n');
    expect(await labelsAt(`${text}measures.|' }`)).toEqual(['tools']);
    expect(await labelsAt(`${text}scores.|' }`)).toEqual(['a']);
    expect(await labelsAt(`${text}stats.price.|' }`)).toContain('mean');
    expect(await labelsAt(`${text}ch|`)).toContain('cheap');
    expect(await labelsAt(`${text}math.|`)).toContain('round');
  });

  test('the element of a macro, in a block text, and in an amended entry', async () => {
    expect((await labelsAt("measures: [{ id: a, expr: 'candidate.xs.exists(tag, t|' }]"))[0]).toBe('tag');
    expect(await labelsAt('measures:\n  - id: a\n    expr: >-\n      candidate.owner.|\n    label: A\n')).toContain(
      'login',
    );
    expect(await labelsAt('extends: [knowledgepulse]\ntier2_scorers:\n  - { id: novelty, when: "|" }')).toContain(
      'context',
    );
  });

  test('an expression in params', async () => {
    const found = await labelsAt("select: { place: { class: SpreadSelector, params: { by: 'candidate.|' } } }");
    expect(found).toContain('stars');
    expect(await labelsAt("select: { place: { class: SpreadSelector, params: { by: '|' } } }")).toContain('scores');
  });

  test('nothing inside a text of an expression, nor in a text that is not one', async () => {
    expect(await labelsAt(`tier1_scorers: [{ id: a, expr: 'candidate.a == "can|' }]`)).toEqual([]);
    expect(await labelsAt("tier2_scorers: [{ id: a, label: 'ca|' }]")).toEqual([]);
  });
});

test('every position of a reference is one of the schema', async () => {
  const described = await describeProfile({ yaml: '' });
  const walk = new SchemaWalk(described);
  for (const [position] of REFERENCES) {
    const plain = position.replace(':key', '').replace(/^\*/, 'adjustments');
    const path = plain.split('.').map((step, n, all) => (step === '*' ? (isIndex(all.slice(0, n)) ? 0 : 'x') : step));
    expect({ position, schemas: walk.at(path).schemas.length > 0 }).toEqual({ position, schemas: true });
  }
  function isIndex(before: readonly string[]): boolean {
    const path = before.map((step) => (step === '*' ? 'x' : step));
    return walk.at(path).schemas.some(({ type }) => type === 'array');
  }
});
