/* assize convert: what it writes, what it reports, and bad input. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assize, inFolder } from './run-here.js';

const RULES = `[
  { "name": "Too young", "event": { "type": "refused", "params": { "message": "No contract" } },
    "conditions": { "any": [{ "fact": "age", "operator": "lessThan", "value": 18 }] } },
  { "event": { "type": "goodIncome", "params": { "score": 30 } },
    "conditions": { "all": [{ "fact": "income", "operator": "greaterThanInclusive", "value": 40000 }] } }
]
`;

inFolder({
  'rules.json': RULES,
  'people.json': '[{ "id": 1, "age": 17 }, { "id": 2, "age": 40, "income": 50000 }, { "id": 3, "income": "much" }]',
});

const rule = (condition: object): object => [{ conditions: { all: [condition] }, event: { type: 'fits' } }];
const search = (functionScore: object): object => ({ query: { function_score: functionScore } });

/** Converts a value, and lists the codes and messages of its problems. */
async function convert(input: unknown, ...args: readonly string[]) {
  const { code, out, err } = await assize(['convert', '-', '--format', 'json', ...args], {
    stdin: JSON.stringify(input),
  });
  if (out === '') return { code, problems: [err], profile: '' };
  const { problems, profile } = JSON.parse(out) as { problems: { code: string; message: string }[]; profile: string };
  return { code, profile, problems: problems.map((one) => `${one.code} ${one.message}`) };
}

describe('assize convert', () => {
  it('writes a profile that check accepts and rank runs', async () => {
    rmSync('loans.yaml', { force: true });
    const args = ['convert', 'rules.json', '--event', 'refused=veto', '--output', 'loans.yaml'];
    expect(await assize(args)).toMatchObject({ code: 0, out: 'wrote loans.yaml\n\nassize check ./loans.yaml\n' });
    expect(readFileSync('loans.yaml', 'utf8')).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=./node_modules/assize/config/profile.schema.json
      name: loans
      description: Converted from 2 rules of json-rules-engine.

      tier1_scorers:
        # event {"type":"refused","params":{"message":"No contract"}}
        - { id: refused, label: Too young, expr: candidate.age < 18, on_absent: pass, on_error: pass }

      tier2_scorers:
        # event {"type":"goodIncome","params":{"score":30}}
        - id: good_income
          expr: 'candidate.income >= 40000 ? 1.0 : 0.0'
          weight: 30
          on_absent: 0
          on_error: 0

      combine: weighted_sum
      "
    `);
    expect(await assize(['check', './loans.yaml'])).toMatchObject({ code: 0, err: '' });
    const { out } = await assize(['score', '-p', './loans.yaml', 'people.json', '--format', 'jsonl']);
    const scores = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { score: number | null }).score);
    expect(scores).toEqual([null, 30, 0]);
    expect(await assize(args)).toMatchObject({ code: 1, err: expect.stringContaining('ASZ604') });
  });

  it('lists what was not carried over, with its line, and exits with 4', async () => {
    writeFileSync(
      'odd.json',
      `${RULES.trim().slice(0, -1)},
  { "event": { "type": "unusual" }, "onSuccess": "f", "conditions": { "all": [
    { "fact": "name", "operator": "startsWith", "value": "A" },
    { "fact": "tags", "operator": "someFact:equal", "value": "x" },
    { "fact": "price", "operator": "lessThan", "value": "10" },
    { "fact": "user", "path": "$..name", "operator": "equal", "value": "x" },
    { "condition": "unknown" }
  ] } }
]
`,
    );
    const { code, out, err } = await assize(['convert', 'odd.json']);
    expect(code).toBe(4);
    expect(out).not.toContain('unusual');
    expect(err).toMatchInlineSnapshot(`
      "odd.json:2:66 warning ASZ743 /0/event/params: params of the event are kept only in a comment
        2 |   { "name": "Too young", "event": { "type": "refused", "params": { "message": "No contract" } },
          |                                                                  ^
        look them up in your program by the id of the entry
      odd.json:7:3 warning ASZ742 /2: the rule of event "unusual" was not carried over
        7 |   { "event": { "type": "unusual" }, "onSuccess": "f", "conditions": { "all": [
          |   ^
        a part of it has no equivalent
      odd.json:7:50 warning ASZ742 /2/onSuccess: onSuccess was not carried over
        7 |   { "event": { "type": "unusual" }, "onSuccess": "f", "conditions": { "all": [
          |                                                  ^
        a profile has no callbacks: act on its result
      odd.json:8:35 warning ASZ742 /2/conditions/all/0/operator: "startsWith" is not an operator of json-rules-engine itself
        8 |     { "fact": "name", "operator": "startsWith", "value": "A" },
          |                                   ^
        compute it before, and pass the result as a field of each candidate
      odd.json:9:35 warning ASZ742 /2/conditions/all/1/operator: "someFact:equal" is a decorated operator
        9 |     { "fact": "tags", "operator": "someFact:equal", "value": "x" },
          |                                   ^
        compute it before, and pass the result as a field of each candidate
      odd.json:10:57 warning ASZ742 /2/conditions/all/2/value: lessThan compares the string "10" as JavaScript converts it
        10 |     { "fact": "price", "operator": "lessThan", "value": "10" },
           |                                                         ^
        write a number, or a fact with one
      odd.json:11:31 warning ASZ742 /2/conditions/all/3/path: the path "$..name" has no equivalent
        11 |     { "fact": "user", "path": "$..name", "operator": "equal", "value": "x" },
           |                               ^
        names and positions are carried over: $.owner.name, $.tags[0]
      odd.json:12:20 warning ASZ742 /2/conditions/all/4/condition: no condition "unknown" is in the file
        12 |     { "condition": "unknown" }
           |                    ^
        put the rules into { "rules": […], "conditions": { NAME: … } }
      not carried over: 7 parts
      "
    `);
  });

  it('asks for --from if the file may be anything', async () => {
    expect(await convert({ size: 10 })).toMatchObject({ code: 1, problems: [expect.stringContaining('ASZ608')] });
    expect(await convert(rule({ fact: 'a', operator: 'equal', value: 1 }), '--from', 'function_score')).toMatchObject({
      code: 1,
    });
    expect(await assize(['convert', 'rules.json', '--event', 'refused'])).toMatchObject({ code: 2 });
    expect(await assize(['convert', 'rules.json', '--event', 'refused=no'])).toMatchObject({ code: 2 });
  });
});

describe('conditions of json-rules-engine', () => {
  it.each([
    [
      'a fact that is computed',
      { fact: 'a', params: { x: 1 }, operator: 'equal', value: 1 },
      4,
      'your program computes it',
    ],
    ['null', { fact: 'a', operator: 'equal', value: null }, 0, 'a missing field counts as null'],
    ['a list', { fact: 'a', operator: 'equal', value: [1] }, 0, 'never equal'],
    ['a key that is unknown', { fact: 'a', operator: 'equal', value: 1, extra: 1 }, 4, 'not a key of a condition'],
  ])('reports %s', async (_, condition, code, text) => {
    const found = await convert(rule(condition));
    expect(found).toMatchObject({ code, problems: [expect.stringContaining(text)] });
    expect(found.profile).toContain('id: fits');
  });

  it('does not carry over an infinite number', async () => {
    const stdin = '[{"event":{"type":"a"},"conditions":{"all":[{"fact":"x","operator":"lessThan","value":1e999}]}}]';
    expect(await assize(['convert', '-'], { stdin })).toMatchObject({
      code: 1,
      err: expect.stringContaining('the number is infinite'),
    });
  });

  it('does not follow conditions that refer to themselves', async () => {
    const rules = [{ conditions: { condition: 'a' }, event: { type: 'x' } }];
    const found = await convert({
      rules,
      conditions: { a: { all: [{ condition: 'b' }] }, b: { not: { condition: 'a' } } },
    });
    expect(found).toMatchObject({ code: 1, problems: [expect.stringContaining('refers to itself')] });
  });

  it('writes a named condition once, however often it is used', async () => {
    const conditions = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `c${n}`,
        n === 0
          ? { fact: 'a', operator: 'equal', value: 1 }
          : { all: [{ condition: `c${n - 1}` }, { condition: `c${n - 1}` }] },
      ]),
    );
    const found = await convert({ rules: [{ conditions: { condition: 'c39' }, event: { type: 'x' } }], conditions });
    expect(found.code).toBe(0);
    expect(found.profile.length).toBeLessThan(10_000);
  });
});

describe('a function_score', () => {
  it('reads the score of a text query from a field', async () => {
    const request = search({ query: { match: { title: 'tea' } }, field_value_factor: { field: 'likes' } });
    const found = await convert(request, '--query-score', 'bm25');
    expect(found).toMatchObject({
      code: 4,
      problems: [
        expect.stringMatching(/^ASZ742 \/query\/function_score\/query\/match: the query match has no equivalent/),
        expect.stringMatching(/^ASZ742 \/query\/function_score\/query: the score of the query depends on the index/),
      ],
    });
    expect(found.profile).toContain('{ id: query, expr: candidate.bm25 }');
    writeFileSync('tea.yaml', found.profile);
    writeFileSync('teas.json', '[{ "id": 1, "bm25": 2, "likes": 3 }, { "id": 2, "bm25": 2 }]');
    const { out } = await assize(['score', '-p', './tea.yaml', 'teas.json', '--format', 'json']);
    expect((JSON.parse(out) as { score: number | null }[]).map(({ score }) => score)).toEqual([6, null]);
  });

  it('refuses a candidate with a negative function, for which Elasticsearch fails', async () => {
    writeFileSync(
      'log.yaml',
      (await convert(search({ field_value_factor: { field: 'likes', modifier: 'ln' } }))).profile,
    );
    writeFileSync('log.json', '[{ "likes": 0.5 }, { "likes": 1 }]');
    const { out } = await assize(['score', '-p', './log.yaml', 'log.json', '--format', 'json']);
    expect((JSON.parse(out) as { score: number | null }[]).map(({ score }) => score)).toEqual([null, 0]);
  });

  it.each([
    ["Math.log(2 + doc['likes'].value)", 'ln(2.0 + candidate.likes)'],
    ["return doc['a.b'].value * 1.5 / 2.0;", 'candidate.a.b * 1.5 / 2.0'],
    ["_score * Math.max(1, doc['x'].value)", '(1.0) * max(1.0,candidate.x)'],
    ["params.f * doc['x'].value", '3.0 * candidate.x'],
  ])('carries over the script %s', async (source, expr) => {
    const found = await convert(search({ script_score: { script: { source, params: { f: 3 } } } }));
    expect(found.problems).toEqual([]);
    expect(found.profile).toContain(expr);
  });

  it.each([
    "doc['x'].value / 2",
    "if (doc['x'].size() == 0) { return 1 } return 2.0",
    "params.unknown * doc['x'].value",
    "Math.random() * doc['x'].value",
    "doc['x'].value *",
    "''",
  ])('does not carry over the script %s', async (source) => {
    const found = await convert(search({ functions: [{ weight: 2 }, { script_score: { script: source } }] }));
    expect(found).toMatchObject({ code: 4, problems: [expect.stringContaining('ASZ742')] });
  });

  it.each([
    ['a place', { gauss: { place: { origin: '11, 12', scale: '2km' } } }],
    ['a month', { exp: { at: { origin: 'now-1M', scale: '10d' } } }],
    ['a rounded date', { exp: { at: { origin: 'now/d', scale: '10d' } } }],
    ['no scale', { linear: { price: { origin: 3 } } }],
    ['a decay of 1', { linear: { price: { origin: 3, scale: 2, decay: 1 } } }],
    ['random numbers', { random_score: { seed: 1 } }],
    ['a negative weight', { weight: -1 }],
    ['an unknown modifier', { field_value_factor: { field: 'x', modifier: 'cube' } }],
    ['a text filter', { filter: { match: { title: 'tea' } }, weight: 3 }],
    ['an unknown function', { boost_factor: 3 }],
  ])('reports %s', async (_, one) => {
    const found = await convert(search({ functions: [{ weight: 2 }, one] }));
    expect(found.code).toBe(4);
    expect(found.problems.every((problem) => problem.startsWith('ASZ742 /query/function_score/functions/1'))).toBe(
      true,
    );
    expect(found.profile).toContain('id: weight');
  });

  it('carries over the size of a request, and reports its other keys', async () => {
    const found = await convert({ ...search({ functions: [{ weight: 2 }] }), size: 5, sort: ['_score'] });
    expect(found.problems).toEqual(['ASZ742 /sort: sort of the request was not carried over']);
    expect(found.profile).toContain('select: { top: 5 }');
  });
});

describe('bad input', () => {
  it.each([
    ['nothing', ''],
    ['text', 'GET /_search'],
    ['half of a list', '[{ "conditions": '],
    ['a number', '3'],
    ['null', 'null'],
    ['an empty list', '[]'],
    ['deep lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['deep conditions', `[{"event":{"type":"a"},"conditions":${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}}]`],
    ['duplicate keys', '{ "functions": [], "functions": [] }'],
  ])('%s is a problem with a code', async (_, stdin) => {
    const { code, err, out } = await assize(['convert', '-'], { stdin });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/ASZ(?:102|608)/);
  });

  it.each(['__proto__', 'constructor', 'in', 'a b', 'a"b', '', '日本', '\ud800'])(
    'a fact may be named %j',
    async (fact) => {
      const input = `[{"event":{"type":"fits"},"conditions":{"all":[{"fact":${JSON.stringify(fact)},"operator":"equal","value":1}]}}]`;
      const { code, err } = await assize(['convert', '-', '-o', 'named.yaml'], { stdin: input });
      expect([0, 1]).toContain(code);
      if (code === 1) return expect(err).toContain('ASZ742');
      expect(await assize(['check', './named.yaml'])).toMatchObject({ code: 0 });
      rmSync('named.yaml');
    },
  );

  const seeds: readonly unknown[] = [
    JSON.parse(RULES),
    {
      rules: rule({ condition: 'a' }),
      conditions: { a: { not: { fact: 'x', path: '$.a', operator: 'in', value: [1] } } },
    },
    search({
      query: {
        bool: { filter: [{ term: { a: 1 } }, { range: { b: { gte: 'now-1d' } } }], should: { exists: { field: 'c' } } },
      },
      functions: [
        { filter: { terms: { t: ['x'] } }, weight: 2 },
        { gauss: { d: { origin: 'now', scale: '1d' } } },
        { field_value_factor: { field: 'f', factor: 2 } },
        { script_score: { script: { source: "doc['x'].value * params.a", params: { a: 1 } } } },
      ],
      score_mode: 'avg',
      max_boost: 3,
    }),
  ];

  /** Replaces one value somewhere in a document. */
  function replaced(value: unknown, path: readonly number[], by: unknown): unknown {
    const [at, ...rest] = path;
    if (at === undefined || typeof value !== 'object' || value === null) return by;
    const entries = Object.entries(value);
    if (entries.length === 0) return by;
    const [key] = entries[at % entries.length]!;
    const changed = entries.map(([name, own]) => [name, name === key ? replaced(own, rest, by) : own]);
    return Array.isArray(value) ? changed.map(([, own]) => own) : Object.fromEntries(changed);
  }

  it('a changed value never crashes, and a profile that is written is valid', async () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('now', '10d', -1, [], {}, null, { fact: 'x' }, 1e300),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(fc.nat(6), { minLength: 1, maxLength: 8 }),
        odd,
        async (seed, path, by) => {
          rmSync('fuzzed.yaml', { force: true });
          const stdin = JSON.stringify(replaced(seed, path, by));
          const { code, err } = await assize(['convert', '-', '-o', 'fuzzed.yaml'], { stdin });
          expect(err).not.toContain('assize failed');
          expect([0, 1, 4]).toContain(code);
          expect(existsSync('fuzzed.yaml')).toBe(code !== 1);
          if (code === 1) return;
          const checked = await assize(['check', './fuzzed.yaml', '--format', 'json']);
          expect(checked.code, checked.out).toBe(0);
        },
      ),
      { numRuns: 400 },
    );
  });
});
