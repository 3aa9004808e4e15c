import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../src/base/format.js';
import { effectiveProfile } from '../../src/pipeline/create-pipeline.js';
import { renameFields } from '../../src/expression/parse-expression.js';
import { parseCel } from '../../src/expression/cel/parse-cel.js';
import { compilePath, FieldNames } from '../../src/expression/compile-path.js';
import { entriesThatDiffer, entryTexts } from '../../src/profile/load-profile.js';
import { AssizeError, columns, createPipeline, evaluate, explanationText, type ProfileInput } from 'assize';
import { translate } from 'assize/sql';
import { assize, inFolder } from '../cli/run-here.js';

/** Passages with the fields of the preset `rag`, and with other names. */
interface Passage {
  readonly id: string;
  readonly content: string;
  readonly kind: string;
  readonly tokens: number;
  readonly future_relevance_hint: number;
}

const theirs = ({ id, content, kind, tokens, future_relevance_hint }: Passage) => ({
  id,
  text: content,
  meta: { type: kind, 'token count': tokens },
  score: future_relevance_hint,
});

const FIELDS = {
  content: 'text',
  kind: 'meta.type',
  tokens: 'meta["token count"]',
  future_relevance_hint: 'score',
};

const passages = fc.array(
  fc.record({
    id: fc.uuid(),
    content: fc.constantFrom('a', 'b', 'c'),
    kind: fc.constantFrom('Message', 'Document', 'ToolOutput', 'odd'),
    tokens: fc.integer({ min: -1, max: 5000 }),
    future_relevance_hint: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 12 },
);

const shape = ({ selected, refused, notSelected }: Awaited<ReturnType<typeof rankBy>>) => ({
  selected: selected.map(({ id, score, cost }) => [id, score, cost]),
  refused: refused.map(({ id, by }) => [id, by]),
  notSelected: notSelected.map(({ id, reason }) => [id, reason]),
});

async function rankBy(profile: ProfileInput | string, rows: readonly object[]) {
  return (await createPipeline(profile)).rank(rows);
}

inFolder({
  'mine.yaml': `extends: [rag]\nfields: { content: text, future_relevance_hint: score }\n`,
  'team.yaml': `extends: [./mine.yaml]\nfields: { text: body }\ntier2_scorers: [{ id: long, expr: size(candidate.text) / 100.0 }]\n`,
});

describe('fields: renamed fields of candidates', () => {
  test('a preset ranks renamed fields like its own: paths, their defaults, expressions, duplicates, costs', async () => {
    await fc.assert(
      fc.asyncProperty(passages, async (rows) => {
        const own = await rankBy('rag', rows);
        const renamed = await rankBy({ extends: ['rag'], fields: FIELDS }, rows.map(theirs));
        expect(shape(renamed)).toEqual(shape(own));
      }),
      { numRuns: 30 },
    );
  });

  test('the explanation has the renamed fields', async () => {
    const ranking = await rankBy({ extends: ['rag'], fields: FIELDS }, [
      theirs({ id: 'one', content: 'a', kind: 'Message', tokens: 10, future_relevance_hint: 0.7 }),
    ]);
    const text = explanationText(ranking.explain('one'));
    expect(text).toContain('score = 0.7');
    expect(text).toContain('meta.type = "Message"');
    expect(text).not.toContain('future_relevance_hint');
    expect(ranking.warnings).toEqual([]);
  });

  const profile: ProfileInput = {
    candidate: { pinned: 'candidate.?keep.orValue(false)' },
    fields: { popularity: 'stars', 'owner.name': '["Owner name"]', owner: 'by', id: 'uuid', keep: 'flags.keep' },
    tier1_scorers: [{ id: 'ours', expr: '(candidate.owner).name == "us"' }],
    measures: [{ id: 'age', expr: 'candidate["owner"].age' }],
    tier2_scorers: [
      { id: 'popular', expr: 'candidate.popularity / 10.0' },
      { id: 'words', class: 'CountScorer', params: { items: 'owner.tags' } },
    ],
    combine: { formula: 'popular + candidate.popularity + measures.age' },
    adjustments: [{ id: 'more', when: 'candidate.popularity > 3', add: 'candidate.owner.age' }],
    select: { top: 2, per: { by: 'candidate.owner.name', top: 1 }, ties: ['candidate.popularity'] },
  };
  const rows = [
    { uuid: 'a', stars: 4, 'Owner name': 'me', by: { age: 3, tags: ['x'] } },
    { uuid: 'b', stars: 2, 'Owner name': 'us', by: { age: 3, tags: ['x'] } },
    { uuid: 'c', stars: 1, 'Owner name': 'me', by: { age: 1, tags: [] }, flags: { keep: true } },
  ];

  test('apply to every key that reads candidates: the id, pinned, vetoes, measures, formulas, rules, select', async () => {
    const made = await createPipeline(profile);
    const ranking = await made.rank(rows);
    expect(ranking.selected.map(({ id, score }) => [id, score])).toEqual([
      ['c', undefined],
      ['a', 0.4 + 4 + 3 + 3],
    ]);
    expect(ranking.refused.map(({ id, reason }) => [id, reason])).toEqual([['b', '(candidate)["Owner name"] == "us"']]);
    expect(evaluate(ranking.explain('a'))).toBe(0.4 + 4 + 3 + 3);
    const read = new Set(made.candidateReads.map(({ field }) => field));
    expect([...read].filter((field) => field !== undefined).toSorted()).toEqual([
      '["Owner name"]',
      'by.age',
      'by.tags',
      'flags.keep',
      'stars',
      'uuid',
    ]);
  });

  test('apply to columns, streams and SQL', async () => {
    const flat: ProfileInput = {
      fields: { popularity: 'stars', archived: 'closed' },
      tier1_scorers: [{ id: 'closed', expr: 'candidate.archived > 0' }],
      tier2_scorers: [{ id: 'popular', expr: 'candidate.popularity / 10.0' }],
      select: { top: 1 },
    };
    const made = await createPipeline(flat);
    const data = { id: ['x', 'y'], stars: Float64Array.of(3, 5), closed: [0, 0] };
    expect((await made.rank(columns(data))).selected.map(({ id, score }) => [id, score])).toEqual([['y', 0.5]]);
    const streamed = await made.rankStream([
      { id: 'x', stars: 3, closed: 1 },
      { id: 'y', stars: 1, closed: 0 },
    ]);
    expect(streamed.selected.map(({ id }) => id)).toEqual(['y']);
    const { sql } = await translate(flat, 'spark', {
      table: 'repos',
      orderBy: 'id',
      columns: 'id text, stars double, closed double',
    });
    expect(sql).toContain('`stars`');
    expect(sql).not.toMatch(/popularity|archived/);
  });

  test('two fields may be swapped', async () => {
    const swapped = { fields: { a: 'b', b: 'a' }, tier2_scorers: [{ id: 'one', expr: 'candidate.a - candidate.b' }] };
    expect((await rankBy(swapped, [{ a: 1, b: 3 }])).ranked[0]?.score).toBe(2);
  });

  test('show prints them in one place, and its output ranks the same', async () => {
    const { out } = await assize(['show', './team.yaml']);
    expect(out.split('\n').filter((line) => /fields|content|text|score/.test(line))).toMatchInlineSnapshot(`
      [
        "candidate: { pinned: candidate.?pinned.orValue(false) }                   # presets/context.yaml:11",
        "fields:",
        "  content: body                                                           # mine.yaml:2",
        "  future_relevance_hint: score                                            # mine.yaml:2",
        "  text: body                                                              # team.yaml:2",
        "tier1_scorers: [ { id: negative_tokens, expr: candidate.?tokens.orValue(0) < 0 } ]  # presets/context.yaml:15",
        "measures: [ { id: tokens, class: cupel/TokenCountScorer } ]               # presets/context.yaml:19",
        "tier2_scorers:",
        "  - { id: long, expr: size(candidate.text) / 100.0 }                      # team.yaml:3",
        "  duplicates: candidate.content                                           # presets/context.yaml:22",
        "  pack: { cost: measures.tokens, budget: 8000, class: cupel/GreedyPack }  # presets/context.yaml:23",
      ]
    `);
    const row = { id: 'x', body: 'words of it', score: 0.4, kind: 'Message', tokens: 3 };
    const shown = (await effectiveProfile('./team.yaml')) as ProfileInput;
    const [before, after] = [await rankBy('./team.yaml', [row]), await rankBy(shown, [row])];
    expect(before.ranked[0]?.score).toBeGreaterThan(0);
    expect(after.ranked).toEqual(before.ranked);
    expect(before.warnings).toEqual([]);
  });

  test('mistakes have their places', async () => {
    const wrong = `fields: { content?: text, "tags[]": labels, kind: "steps[].kind", tokens: 7, owner: "a..b", relevance: "" }
tier2_scorers: [{ id: one, expr: candidate.contnt + candidate.tokens.size }]
`;
    const error: unknown = await createPipeline({ yaml: wrong, name: 'wrong.yaml' }).catch((thrown: unknown) => thrown);
    expect(error instanceof AssizeError && formatProblems(error.problems)).toMatchInlineSnapshot(`
      "wrong.yaml:1:11 error ASZ202 expected a field: content, or metadata.author, found content?
        1 | fields: { content?: text, "tags[]": labels, kind: "steps[].kind", tokens: 7, owner: "a..b", relevance: "" }
          |           ^
      wrong.yaml:1:27 error ASZ202 expected a field: content, or metadata.author, found tags[]
        1 | fields: { content?: text, "tags[]": labels, kind: "steps[].kind", tokens: 7, owner: "a..b", relevance: "" }
          |                           ^
      wrong.yaml:1:51 error ASZ202 expected the path of one value: text, or parts[0].text, found steps[].kind
        1 | fields: { content?: text, "tags[]": labels, kind: "steps[].kind", tokens: 7, owner: "a..b", relevance: "" }
          |                                                   ^
      wrong.yaml:1:75 error ASZ202 expected a string, found the number 7
        1 | fields: { content?: text, "tags[]": labels, kind: "steps[].kind", tokens: 7, owner: "a..b", relevance: "" }
          |                                                                           ^
      wrong.yaml:1:85 error ASZ202 a..b: expected a field name, found "."
        1 | fields: { content?: text, "tags[]": labels, kind: "steps[].kind", tokens: 7, owner: "a..b", relevance: "" }
          |                                                                                     ^
      wrong.yaml:1:104 error ASZ202 expected a string that is not empty, found the string ""
        1 | fields: { content?: text, "tags[]": labels, kind: "steps[].kind", tokens: 7, owner: "a..b", relevance: "" }
          |                                                                                                        ^
      6 problems"
    `);
  });

  test('a name that is never read is a warning', async () => {
    const { warnings } = await createPipeline({
      fields: { contnet: 'text' },
      tier2_scorers: [{ id: 'one', expr: 'candidate.content.size' }],
    });
    expect(formatProblems(warnings)).toMatchInlineSnapshot(`
      "fields.contnet warning ASZ702 nothing in this profile reads contnet, so renaming it has no effect
        did you mean content?"
    `);
  });
});

describe('an expression with renamed fields', () => {
  const names = new FieldNames(
    Object.entries({ a: 'x', 'b.c': 'y["z z"]', d: 'in.q', deep: 'list[0].v' }).map(([name, target]) => [
      compilePath(name).steps,
      compilePath(target).steps,
    ]),
  );

  test.each([
    ['candidate.a + candidate.b', 'candidate.x + candidate.b'],
    ['candidate.b.c.e', 'candidate.y["z z"].e'],
    ['candidate["a"][0]', 'candidate.x[0]'],
    ['candidate.?a.orValue(1)', 'candidate.?x.orValue(1)'],
    ['candidate.?b.?c.orValue(1)', 'candidate.?y["z z"].orValue(1)'],
    ['has(candidate.d)', 'has(candidate["in"].q)'],
    ['candidate.deep * 2', 'candidate.list[0].v * 2'],
    ['((candidate.b) . c) . e', '((candidate).y["z z"]) . e'],
    ['candidate.e[candidate.a]', 'candidate.e[candidate.x]'],
    ['candidate.a[candidate.b.c].f', 'candidate.x[candidate.y["z z"]].f'],
    ['[1].map(candidate, candidate.a)', '[1].map(candidate, candidate.a)'],
    ['[1].all(i, candidate, candidate.a)', '[1].all(i, candidate, candidate.a)'],
    ['cel.bind(candidate, candidate.a, candidate.a)', 'cel.bind(candidate, candidate.x, candidate.a)'],
    ['cel.bind(x, candidate.a, x + candidate.`a`)', 'cel.bind(x, candidate.x, x + candidate.x)'],
    ['candidate.a.all(x, x.a > candidate.a)', 'candidate.x.all(x, x.a > candidate.x)'],
    ['context.a + signals.a', 'context.a + signals.a'],
    ['"candidate.a" + candidate[context.a]', '"candidate.a" + candidate[context.a]'],
    ['candidate.a == "é😀" ? candidate.a : candidate.b.c', 'candidate.x == "é😀" ? candidate.x : candidate.y["z z"]'],
  ])('%s', (source, renamed) => {
    expect(renameFields(source, parseCel(source), names)).toBe(renamed);
    parseCel(renamed);
  });
});

test('an entry differs if it reads other fields, and not if only its texts change', () => {
  const entry = { id: 'new', class: 'NoveltyScorer', params: { text: 'content' } };
  const texts = entryTexts({ fields: { content: 'text' }, tier2_scorers: [entry] });
  const said = { ...entry, label: 'Says something new', reason: 'Said before' };
  expect(entriesThatDiffer(entryTexts({ fields: { content: 'text' }, tier2_scorers: [said] }), texts)).toEqual(
    new Set(),
  );
  expect(entriesThatDiffer(entryTexts({ fields: { content: 'body' }, tier2_scorers: [entry] }), texts)).toEqual(
    new Set(['new']),
  );
});
