import { describe, expect, test } from 'vitest';
import { told } from './broken.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

describe('classes and ids', () => {
  test('a class with a typo', async () => {
    expect(
      await told(`tier2_scorers:
  - id: a
    class: DecyScorer
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:3:12 error ASZ301 unknown scorer class DecyScorer
    3 |     class: DecyScorer
      |            ^
    did you mean DecayScorer?
  "
`);
  });

  test('a class that nobody has', async () => {
    expect(
      await told(`tier2_scorers:
  - id: a
    class: Banana
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:3:12 error ASZ301 unknown scorer class Banana
    3 |     class: Banana
      |            ^
    searched: core; name the pack that has it under plugins
  "
`);
  });

  test('a veto among the scorers', async () => {
    expect(
      await told(`tier2_scorers:
  - id: a
    class: ThresholdVeto
    params: { value: a, max: 1 }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:3:12 error ASZ303 ThresholdVeto is a veto, and a scorer is expected here
    3 |     class: ThresholdVeto
      |            ^
    vetoes stand under tier1_scorers
  "
`);
  });

  test('a scorer among the vetoes', async () => {
    expect(
      await told(`tier1_scorers:
  - id: a
    class: DecayScorer
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:3:12 error ASZ303 DecayScorer is a scorer, and a veto is expected here
    3 |     class: DecayScorer
      |            ^
    scorers stand under tier2_scorers and measures
  "
`);
  });

  test('two entries of one id', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: a, expr: candidate.a }
  - { id: a, expr: candidate.b }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:3:11 error ASZ203 the id "a" is taken
    3 |   - { id: a, expr: candidate.b }
      |           ^
    entry 1 of tier2_scorers has it
  "
`);
  });

  test('a reserved id', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: score, expr: candidate.a }
  - { id: now, expr: candidate.b }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:11 error ASZ204 the id score is reserved
    2 |   - { id: score, expr: candidate.a }
      |           ^
    expressions use it for something else
  p.yaml:3:11 error ASZ204 the id now is reserved
    3 |   - { id: now, expr: candidate.b }
      |           ^
    expressions use it for something else
  2 problems
  "
`);
  });

  test('an id that objects have anyway is one like another', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: constructor, expr: candidate.a }
`),
    ).toMatchInlineSnapshot(`"it is valid"`);
  });

  test('both a class and an expression, or neither', async () => {
    expect(await told(entry('class: DecayScorer, expr: candidate.a'))).toMatch(/found both|not both/);
    expect(await told('tier2_scorers: [{ id: a }]')).toMatch(/found neither|missing class or expr/);
  });

  test('what the name of a phase may look like, at the name', async () => {
    const message = await told('phases: { Early: { n_turns: 4 } }');
    expect(message).toContain('p.yaml:1:11');
    expect(message).not.toContain('Invalid key');
    expect(message).toContain('lower-case');
  });
});
