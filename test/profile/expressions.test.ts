import { describe, expect, test } from 'vitest';
import { told } from './broken.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

describe('expressions in a profile', () => {
  test('syntax in a block of lines', async () => {
    expect(
      await told(`tier1_scorers:
  - id: a
    expr: >-
      candidate.a > 1 &&
      candidate.b >> 2
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:5:20 error ASZ401 unexpected ">"
    5 |       candidate.b >> 2
      |                    ^
  "
`);
  });

  test('types that do not fit', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: a, expr: "1 + true" }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:25 error ASZ402 + needs numbers, strings or lists, found a bool
    2 |   - { id: a, expr: "1 + true" }
      |                         ^
  "
`);
  });

  test('a condition where a number is needed', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: b, expr: "candidate.a > 1" }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:21 error ASZ402 a scorer needs a number, found a bool
    2 |   - { id: b, expr: "candidate.a > 1" }
      |                     ^
  "
`);
  });

  test('a number where a condition is needed', async () => {
    expect(
      await told(`tier1_scorers:
  - { id: a, expr: "1 + 2" }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:21 error ASZ402 a veto needs a bool, found a number
    2 |   - { id: a, expr: "1 + 2" }
      |                     ^
  "
`);
  });

  test('a field without the candidate', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: a, expr: stars / 10.0 }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:20 error ASZ402 unknown name "stars" in a scorer
    2 |   - { id: a, expr: stars / 10.0 }
      |                    ^
    a field of the candidate is candidate.stars
  "
`);
  });

  test('a variable with a typo', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: b, expr: candidate.a + meassures.x }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:34 error ASZ402 unknown name "meassures" in a scorer
    2 |   - { id: b, expr: candidate.a + meassures.x }
      |                                  ^
    did you mean measures?
  "
`);
  });

  test('a measure with a typo', async () => {
    expect(
      await told(`measures: [{ id: tools, expr: "1.0" }]
tier2_scorers:
  - { id: a, expr: measures.tool * 2 }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:3:29 error ASZ402 unknown field "tool" of measures
    3 |   - { id: a, expr: measures.tool * 2 }
      |                             ^
    did you mean tools?
  "
`);
  });

  test('a score with a typo', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: fresh, expr: candidate.a }
adjustments:
  - { id: r, when: scores.frehs > 1, add: 1 }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:4:27 error ASZ402 unknown field "frehs" of scores
    4 |   - { id: r, when: scores.frehs > 1, add: 1 }
      |                           ^
    did you mean fresh?
  "
`);
  });

  test('matches, which is left out', async () => {
    expect(
      await told(`tier1_scorers:
  - { id: a, expr: candidate.name.matches("x+") }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:35 error ASZ402 unknown function "matches"
    2 |   - { id: a, expr: candidate.name.matches("x+") }
      |                                   ^
    a pattern may take for ever on some text: use contains, startsWith, endsWith or ==
  "
`);
  });

  test('that what it reads exists, and where', async () => {
    const measures = 'measures: [{ id: tools, expr: "1.0" }]\ntier1_scorers: [{ id: a, expr: measures.tools > 2 }]';
    expect(await told(measures)).not.toContain('candidate.measures');
    expect(await told(entry('expr: score * 2'))).not.toContain('candidate.score');
    expect(await told(entry('expr: cand.b'))).toContain('did you mean candidate?');
  });
});
