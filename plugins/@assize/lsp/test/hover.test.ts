import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.js';
import { hoverAt, nodeService, pageService, withCursor } from './service.js';

const PROFILE = [
  'context: { turn: { type: int } }',
  'let: { popular: candidate.stars > 10 }',
  'measures:',
  '  - { id: tools, expr: candidate.tools }',
  'tier2_scorers:',
  '  - { id: fresh, class: DecayScorer, weight: 2, params: { curve: { type: window, max_age: 3d } } }',
  "  - { id: a, expr: 'clamp(candidate.stars / 10 + measures.tools, 0, 1)', on_absent: skip }",
  '  - id: b',
  '    expr: >-',
  '      popular &&',
  '      candidate.owner.login == "ada" ? 1.0 : 0.0',
  'rerank: { top: 3, ask: [fresh] }',
].join('\n');

/** The text of the profile with the cursor inside a word. */
const at = (word: string): string => {
  const offset = PROFILE.indexOf(word) + 1;
  return `${PROFILE.slice(0, offset)}|${PROFILE.slice(offset)}`;
};

test.each([
  ['a key', 'weight', ['number or CEL', 'Default: `1`']],
  ['a param', 'max_age', ['duration', 'The age from which the score is 0.']],
  ['a class', 'DecayScorer', ['scorer of plugin core', '`curve`', 'required']],
  ['a function', 'clamp', ['clamp(number, number, number) → number']],
  ['a field of the sample', 'stars /', ['candidate.stars: number, such as 1200']],
  ['a measure', 'tools, 0', ['measures.tools: number', '"expr": "candidate.tools"']],
  ['an id', 'fresh] }', ['DecayScorer']],
  ['a literal', '1)', ['number']],
  ['a name of let, in a block text', 'popular &&', ['popular: bool', 'candidate.stars > 10']],
  ['a nested field, in a block text', 'login', ['candidate.owner.login: string, such as "ada"']],
  ['an option', 'skip', ['skip ignores it']],
])('explains %s', async (_, word, parts) => {
  const found = await hoverAt(at(word));
  for (const part of parts) expect(found).toContain(part);
});

test('explains presets, and nothing in comments and between words', async () => {
  expect(await hoverAt('extends: [know|ledgepulse]')).toContain('reasoning');
  expect(await hoverAt('# we|ight: 3')).toBeUndefined();
  expect(await hoverAt('weights:  |  ')).toBeUndefined();
});

test('finds the definition of an id, also in a profile that is extended', async () => {
  const folder = temporaryFolder('lsp-');
  writeFileSync(join(folder, 'base.yaml'), 'name: base\nmeasures:\n  - { id: tools, expr: candidate.tools }\n');
  const name = join(folder, 'p.yaml');
  const service = nodeService();
  const find = async (marked: string) => {
    const { text, offset } = withCursor(marked);
    const found = await service.definition(text, offset, name);
    return found && [found.file.slice(found.file.lastIndexOf('/') + 1), found.line, found.column];
  };
  expect(await find('extends: [./ba|se.yaml]')).toEqual(['base.yaml', 1, 1]);
  expect(await find("extends: [./base.yaml]\nadjustments: [{ id: a, when: 'measures.to|ols > 1', set: 1 }]")).toEqual([
    'base.yaml',
    3,
    11,
  ]);
  expect(await find('tier2_scorers: [{ id: b, expr: x }]\nrerank: { top: 1, ask: [|b] }')).toEqual(['p.yaml', 1, 23]);
  expect(await find('name: p|')).toBeUndefined();
});

test('knows which YAML files are profiles', async () => {
  const service = pageService();
  const is = (text: string) => service.isProfile(text, 'p.yaml');
  expect(await is('services:\n  web: { image: nginx }\n')).toBe(false);
  expect(await is('tier2_scorers: [')).toBe(true);
  expect(await is('')).toBe(true);
  expect(await is('# candidates: ./repos.json\nfoo: 1\n')).toBe(true);
});
