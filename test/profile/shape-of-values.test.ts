import { describe, expect, test } from 'vitest';
import { told } from './broken.js';

describe('values in a profile', () => {
  test('a rule of the other tier', async () => {
    expect(
      await told(`tier1_scorers:
  - { id: a, expr: candidate.a, on_absent: skip }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:44 error ASZ202 expected pass or refuse, found the string "skip"
    2 |   - { id: a, expr: candidate.a, on_absent: skip }
      |                                            ^
  "
`);
  });

  test('numbers that are none', async () => {
    expect(
      await told(`select: { top: 2.5, min_score: high, ties: input }
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:1:16 error ASZ202 expected a whole number, found the number 2.5
        1 | select: { top: 2.5, min_score: high, ties: input }
          |                ^
      p.yaml:1:32 error ASZ202 expected a number, found the string "high"
        1 | select: { top: 2.5, min_score: high, ties: input }
          |                                ^
      p.yaml:1:44 error ASZ202 expected a list, found the string "input"
        1 | select: { top: 2.5, min_score: high, ties: input }
          |                                            ^
        write a list: [input]
      3 problems
      "
    `);
  });

  test('a rule that does nothing', async () => {
    expect(
      await told(`adjustments:
  - { id: r, when: candidate.a }
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:2:5 error ASZ202 expected at least one of set, add, multiply, min, max
        2 |   - { id: r, when: candidate.a }
          |     ^
      "
    `);
  });

  test('a table with a text in it', async () => {
    expect(
      await told(`adjustments:
  - { id: r, multiply: { table: { a: { b: x } }, by: [candidate.a] } }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:43 error ASZ202 expected a number or a map, found the string "x"
    2 |   - { id: r, multiply: { table: { a: { b: x } }, by: [candidate.a] } }
      |                                           ^
  "
`);
  });

  test('a type of the context that there is not', async () => {
    expect(
      await told(`context:
  turn: { type: integer }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:17 error ASZ202 expected int, number, string, bool, list, map or time, found the string "integer"
    2 |   turn: { type: integer }
      |                 ^
  "
`);
  });

  test('a fallback that names nothing', async () => {
    expect(
      await told(`fallback:
  - when: vetoed > 0
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:2:5 error ASZ202 missing use: expected a string
        2 |   - when: vetoed > 0
          |     ^
      "
    `);
  });

  test('keys that objects have anyway', async () => {
    expect(
      await told(`__proto__: { polluted: 1 }
constructor: 2
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:1:1 error ASZ204 the name __proto__ is reserved
        1 | __proto__: { polluted: 1 }
          | ^
      p.yaml:2:1 error ASZ201 unknown key constructor
        2 | constructor: 2
          | ^
        known here: name, description, extends, plugins, candidate, context, phases, signals, strategies, veto_on_first, tier1_scorers, measures, tier2_scorers, combine, weights, adjustments, phase_profiles, select, fallback, report
      2 problems
      "
    `);
  });

  test('several problems at once, by place', async () => {
    expect(
      await told(`nmae: x
tier2_scorers:
  - { id: b, class: Nope }
  - { id: c, expr: "1 +" }
tier1_scorers:
  - { id: v, expr: candidate.x, on_absent: maybe }
select: { top: -1 }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:1 error ASZ201 unknown key nmae
    1 | nmae: x
      | ^
    did you mean name?
  p.yaml:3:21 error ASZ301 unknown scorer class Nope
    3 |   - { id: b, class: Nope }
      |                     ^
    searched: core; name the pack that has it under plugins
  p.yaml:4:23 error ASZ401 the expression ends where a value is expected
    4 |   - { id: c, expr: "1 +" }
      |                       ^
  p.yaml:6:44 error ASZ202 expected pass or refuse, found the string "maybe"
    6 |   - { id: v, expr: candidate.x, on_absent: maybe }
      |                                            ^
  p.yaml:7:16 error ASZ202 expected at least 0, found the number -1
    7 | select: { top: -1 }
      |                ^
  5 problems
  "
`);
  });
});
