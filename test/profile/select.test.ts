import { describe, expect, test } from 'vitest';
import { told } from './problems-of.js';

const pack = (rest: string): string => `plugins: [cupel]
tier2_scorers: [{ id: s, expr: candidate.score }]
measures: [{ id: tokens, expr: candidate.tokens }]
select:
  pack:
    cost: candidate.tokens
${rest}`;

describe('a budget', () => {
  test('with contradictory numbers', async () => {
    const budget = `    budget: { target: 900, max: 800, output_reserve: 1000 }
    class: GreedyPack
`;
    expect(await told(pack(budget))).toMatchInlineSnapshot(`
      "
      p.yaml:7:23 error ASZ210 the target of 900 is more than the max of 800
        7 |     budget: { target: 900, max: 800, output_reserve: 1000 }
          |                       ^
        the target is the size to fill, the max is the limit
      p.yaml:7:54 error ASZ210 the output_reserve of 1000 is more than the max of 800
        7 |     budget: { target: 900, max: 800, output_reserve: 1000 }
          |                                                      ^
        reserves are part of the max
      2 problems
      "
    `);
  });

  test('with reserves larger than the budget', async () => {
    const budget = `    budget: { max: 800, output_reserve: 700, reserved_slots: { tools: 60, memories: 50 } }
    class: GreedyPack
`;
    expect(await told(pack(budget))).toMatchInlineSnapshot(`
      "
      p.yaml:7:62 error ASZ210 the reserved_slots of 110 together and the output_reserve of 700 are more than the max of 800
        7 |     budget: { max: 800, output_reserve: 700, reserved_slots: { tools: 60, memories: 50 } }
          |                                                              ^
        reserves are part of the max
      "
    `);
  });

  test('with invalid numbers', async () => {
    const budget = `    budget: { target: -1, safety_margin: 120, reserved_slots: { tools: many }, outputreserve: 5 }
    class: GreedyPack
    overflow: trunc
`;
    expect(await told(pack(budget))).toMatchInlineSnapshot(`
      "
      p.yaml:7:23 error ASZ202 expected a number of at least 0, found the number -1
        7 |     budget: { target: -1, safety_margin: 120, reserved_slots: { tools: many }, outputreserve: 5 }
          |                       ^
      p.yaml:7:42 error ASZ202 expected a number of at most 100, found the number 120
        7 |     budget: { target: -1, safety_margin: 120, reserved_slots: { tools: many }, outputreserve: 5 }
          |                                          ^
      p.yaml:7:72 error ASZ202 expected a number, found the string "many"
        7 |     budget: { target: -1, safety_margin: 120, reserved_slots: { tools: many }, outputreserve: 5 }
          |                                                                        ^
      p.yaml:7:80 error ASZ201 unknown key outputreserve
        7 |     budget: { target: -1, safety_margin: 120, reserved_slots: { tools: many }, outputreserve: 5 }
          |                                                                                ^
        did you mean output_reserve?
      p.yaml:9:15 error ASZ202 expected throw, truncate or proceed, found the string "trunc"
        9 |     overflow: trunc
          |               ^
        did you mean truncate?
      5 problems
      "
    `);
    expect(await told(pack('    budget: 8k\n    class: GreedyPack\n'))).toMatchInlineSnapshot(`
      "
      p.yaml:7:13 error ASZ202 expected a number or a map, found the string "8k"
        7 |     budget: 8k
          |             ^
      "
    `);
  });
});

describe('a selector', () => {
  test('that does not exist, or has another kind', async () => {
    expect(await told(pack('    class: GreedPack\n'))).toMatchInlineSnapshot(`
      "
      p.yaml:7:12 error ASZ301 unknown selector class GreedPack
        7 |     class: GreedPack
          |            ^
        did you mean GreedyPack?
      "
    `);
    expect(await told(pack('    class: RecencyScorer\n'))).toMatchInlineSnapshot(`
      "
      p.yaml:7:12 error ASZ303 RecencyScorer is a scorer; expected a selector
        7 |     class: RecencyScorer
          |            ^
        scorers belong under tier2_scorers and measures
      "
    `);
    expect(await told('plugins: [cupel]\nselect: { place: { class: UShape } }\n')).toMatchInlineSnapshot(`
      "
      p.yaml:2:27 error ASZ301 unknown selector class UShape
        2 | select: { place: { class: UShape } }
          |                           ^
        did you mean UShaped?
      "
    `);
  });

  test('without a cost: other problems are reported too', async () => {
    const profile = `plugins: [cupel]
select:
  duplicates: candidate.(text
  pack: { class: GreedPack, params: {} }
`;
    expect(await told(profile)).toMatchInlineSnapshot(`
      "
      p.yaml:3:25 error ASZ401 expected a name, found "("
        3 |   duplicates: candidate.(text
          |                         ^
      p.yaml:4:9 error ASZ202 missing cost: expected a string
        4 |   pack: { class: GreedPack, params: {} }
          |         ^
      p.yaml:4:18 error ASZ301 unknown selector class GreedPack
        4 |   pack: { class: GreedPack, params: {} }
          |                  ^
        did you mean GreedyPack?
      3 problems
      "
    `);
  });

  test('with an invalid cost', async () => {
    const profile = `plugins: [cupel]
select: { pack: { cost: 'measures.tokens > 3', class: GreedyPack } }
`;
    expect(await told(profile)).toMatchInlineSnapshot(`
      "
      p.yaml:2:35 error ASZ402 unknown field "tokens" of measures
        2 | select: { pack: { cost: 'measures.tokens > 3', class: GreedyPack } }
          |                                   ^
        measures has no known fields
      "
    `);
  });

  test('with entries in its params that are not selectors', async () => {
    const inner = `    class: CountQuotaPack
    params:
      counts: [{ kind: tool, require: 1 }]
      inner: { class: TagScorer, weight: 2 }
`;
    expect(await told(pack(inner))).toMatchInlineSnapshot(`
      "
      p.yaml:10:23 error ASZ303 TagScorer is a scorer; expected a selector
        10 |       inner: { class: TagScorer, weight: 2 }
           |                       ^
        scorers belong under tier2_scorers and measures
      p.yaml:10:34 error ASZ211 an entry inside a selector cannot have the key weight
        10 |       inner: { class: TagScorer, weight: 2 }
           |                                  ^
        a selector is a class with params: { class: GreedyPack }
      2 problems
      "
    `);
    const expr = '    class: CountQuotaPack\n    params: { counts: [{ kind: tool }], inner: { expr: candidate.x } }\n';
    expect(await told(pack(expr))).toMatchInlineSnapshot(`
      "
      p.yaml:8:50 error ASZ211 an entry inside a selector cannot have the key expr
        8 |     params: { counts: [{ kind: tool }], inner: { expr: candidate.x } }
          |                                                  ^
        a selector is a class with params: { class: GreedyPack }
      "
    `);
  });
});

describe('quotas', () => {
  test('that contradict each other', async () => {
    const quotas = `    class: QuotaPack
    params:
      by: measures.token
      quotas:
        - { kind: tool, require: 60, cap: 50 }
        - { kind: Message, require: 70 }
        - { kind: message, cap: 101 }
      inner: { class: GreedyPack }
`;
    expect(await told(pack(quotas))).toMatchInlineSnapshot(`
      "
      p.yaml:9:20 error ASZ402 unknown field "token" of measures
        9 |       by: measures.token
          |                    ^
        did you mean tokens?
      p.yaml:11:34 error ASZ202 require 60 is more than cap 50
        11 |         - { kind: tool, require: 60, cap: 50 }
           |                                  ^
      p.yaml:13:11 error ASZ202 the requires add up to 130 percent, more than 100
        13 |         - { kind: message, cap: 101 }
           |           ^
      p.yaml:13:19 error ASZ202 message has a rule already, as Message in rule 1
        13 |         - { kind: message, cap: 101 }
           |                   ^
      p.yaml:13:33 error ASZ202 expected a number of at most 100, found the number 101
        13 |         - { kind: message, cap: 101 }
           |                                 ^
      5 problems
      "
    `);
    const sum = `    class: QuotaPack
    params:
      quotas: [{ kind: tool, require: 60 }, { kind: TOOL, require: 50 }]
      inner: { class: GreedyPack }
`;
    expect(await told(pack(sum))).toMatchInlineSnapshot(`
      "
      p.yaml:9:53 error ASZ202 TOOL has a rule already, as tool in rule 0
        9 |       quotas: [{ kind: tool, require: 60 }, { kind: TOOL, require: 50 }]
          |                                                     ^
      p.yaml:9:68 error ASZ202 the requires add up to 110 percent, more than 100
        9 |       quotas: [{ kind: tool, require: 60 }, { kind: TOOL, require: 50 }]
          |                                                                    ^
      2 problems
      "
    `);
  });

  test('by count', async () => {
    const counts = `    class: CountQuotaPack
    params:
      counts: [{ kind: tool, require: 2, cap: 1 }, { kind: ' ', require: 1.5 }]
      scarcity: warn
      inner: { class: KnapsackPack, params: { bucket_size: 0 } }
`;
    expect(await told(pack(counts))).toMatchInlineSnapshot(`
      "
      p.yaml:9:60 error ASZ202 expected a kind, which is not blank, found the string " "
        9 |       counts: [{ kind: tool, require: 2, cap: 1 }, { kind: ' ', require: 1.5 }]
          |                                                            ^
      p.yaml:9:74 error ASZ202 expected a whole number, found the number 1.5
        9 |       counts: [{ kind: tool, require: 2, cap: 1 }, { kind: ' ', require: 1.5 }]
          |                                                                          ^
      p.yaml:10:17 error ASZ202 expected degrade or throw, found the string "warn"
        10 |       scarcity: warn
           |                 ^
      p.yaml:11:60 error ASZ202 expected a number above 0, found the number 0
        11 |       inner: { class: KnapsackPack, params: { bucket_size: 0 } }
           |                                                            ^
      4 problems
      "
    `);
  });

  test('with kinds from an expression of a measure and the score', async () => {
    const by = `    class: QuotaPack
    params:
      by: 'measures.tokens > 100 && score > scores.s ? "long" : "short"'
      quotas: [{ kind: long, cap: 30 }]
      inner: { class: GreedyPack }
`;
    expect(await told(pack(by))).toBe('it is valid');
  });
});

test('a class in a later file has its own params, and keeps the budget', async () => {
  const base = pack(`    budget: 800
    class: QuotaPack
    params: { quotas: [{ kind: tool, cap: 30 }], inner: { class: GreedyPack } }
`);
  const over = 'plugins: [cupel]\nextends: [./base.yaml]\nselect: { pack: { class: KnapsackPack } }\n';
  expect(await told(over, { 'base.yaml': base })).toBe('it is valid');
});

describe('a limit for each group', () => {
  test('that is malformed', async () => {
    const per =
      'tier2_scorers: [{ id: s, expr: candidate.score }]\nselect: { per: { by: candidate., top: 0, of: brand } }\n';
    expect(await told(per)).toMatchInlineSnapshot(`
      "
      p.yaml:2:31 error ASZ401 expected a name, found the end
        2 | select: { per: { by: candidate., top: 0, of: brand } }
          |                               ^
      p.yaml:2:39 error ASZ202 expected a number of at least 1, found the number 0
        2 | select: { per: { by: candidate., top: 0, of: brand } }
          |                                       ^
      p.yaml:2:42 error ASZ201 unknown key of
        2 | select: { per: { by: candidate., top: 0, of: brand } }
          |                                          ^
        known here: by, top
      3 problems
      "
    `);
    expect(await told(per.replace(/per: .*/, 'per: candidate.brand }'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:16 error ASZ202 expected a map, found the string "candidate.brand"
        2 | select: { per: candidate.brand }
          |                ^
      "
    `);
    expect(await told(per.replace(/per: .*/, 'per: { by: candidate.brand } }'))).toMatchInlineSnapshot(`
      "
      p.yaml:2:16 error ASZ202 missing top: expected a number
        2 | select: { per: { by: candidate.brand } }
          |                ^
      "
    `);
  });
});
