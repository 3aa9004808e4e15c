import { describe, expect, test } from 'vitest';
import { told } from './broken.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

describe('params of a class', () => {
  test('a param with a typo', async () => {
    expect(
      await told(`tier2_scorers:
  - id: a
    class: DecayScorer
    params:
      feild: at
      curve: { type: window, max_age: 1d }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:5:7 error ASZ201 unknown key feild
    5 |       feild: at
      |       ^
    did you mean field?
  "
`);
  });

  test('params that are required', async () => {
    expect(
      await told(`tier2_scorers:
  - id: a
    class: OutcomeScorer
    params: { value: x }
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:4:13 error ASZ202 missing param success of OutcomeScorer: expected a string
        4 |     params: { value: x }
          |             ^
      "
    `);
  });

  test('a child\u2019s params, at the child\u2019s own line', async () => {
    expect(
      await told(`tier2_scorers:
  - id: a
    class: CompositeScorer
    params:
      scorers:
        - expr: candidate.b
        - class: DecayScorer
          params:
            curve: { type: window, max_aeg: 1d }
        - class: Nope
`),
    ).toMatchInlineSnapshot(`
      "
      p.yaml:9:20 error ASZ202 missing param curve.max_age of DecayScorer: expected a string or a number
        9 |             curve: { type: window, max_aeg: 1d }
          |                    ^
      p.yaml:9:36 error ASZ201 unknown key max_aeg
        9 |             curve: { type: window, max_aeg: 1d }
          |                                    ^
        did you mean max_age?
      p.yaml:10:18 error ASZ301 unknown scorer class Nope
        10 |         - class: Nope
           |                  ^
        searched: core; name the pack that has it under plugins
      3 problems
      "
    `);
  });

  test('an expression in a child, at its column', async () => {
    expect(
      await told(`tier2_scorers:
  - id: a
    class: CompositeScorer
    params:
      scorers:
        - { weight: 2, expr: candidate.a + }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:6:42 error ASZ401 the expression ends where a value is expected
    6 |         - { weight: 2, expr: candidate.a + }
      |                                          ^
  "
`);
  });

  test('syntax, at its column', async () => {
    expect(
      await told(`tier1_scorers:
  - id: a
    expr: "candidate.a > (1 + 2"
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:3:31 error ASZ401 expected ")", found the end
    3 |     expr: "candidate.a > (1 + 2"
      |                               ^
  "
`);
  });

  test('the types of curve that there are', async () => {
    const message = await told(entry('class: DecayScorer, params: { curve: { type: exponental, half_life: 1d } }'));
    expect(message).toContain('expected exponential, window or step');
  });
});
