import { describe, expect, test } from 'vitest';
import { createPipeline } from '../../src/index.js';
import { told } from './broken.js';

describe('weights in a profile', () => {
  test('weights for what is no scorer', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: novelty, expr: candidate.a }
weights:
  by: candidate.k
  cases:
    x: { novlty: 2 }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:6:10 error ASZ205 a weight for novlty, which is no scorer
    6 |     x: { novlty: 2 }
      |          ^
    did you mean novelty?
  "
`);
  });

  test('weights that the combine does not read', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: a, expr: candidate.a, weight: 2 }
combine: product
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:33 error ASZ202 product reads no weights
    2 |   - { id: a, expr: candidate.a, weight: 2 }
      |                                 ^
    remove it, or combine by weighted_mean or weighted_sum
  "
`);
  });

  test('negative weights in a mean', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: a, expr: candidate.a, weight: -2 }
weights: { by: candidate.k, cases: { x: { a: -1 } } }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:2:41 error ASZ202 expected a weight of at least 0, found -2
    2 |   - { id: a, expr: candidate.a, weight: -2 }
      |                                         ^
    weights are relative here; turn the scorer around, or combine by weighted_sum
  p.yaml:3:46 error ASZ202 expected a weight of at least 0, found -1
    3 | weights: { by: candidate.k, cases: { x: { a: -1 } } }
      |                                              ^
    weights are relative here; turn the scorer around, or combine by weighted_sum
  2 problems
  "
`);
  });

  test('weights of 0 in a mean', async () => {
    expect(
      await told(`tier2_scorers:
  - { id: a, expr: candidate.a, weight: 0 }
`),
    ).toMatchInlineSnapshot(`
  "
  p.yaml:1:1 error ASZ202 all weights are 0
    1 | tier2_scorers:
      | ^
    a mean needs at least one weight above 0
  "
`);
  });

  test('a scorer that is disabled may still have its weights in the cases that a profile inherits', async () => {
    const pipeline = createPipeline({
      extends: ['knowledgepulse'],
      tier2_scorers: [{ id: 'novelty', enabled: false }],
    });
    await expect(pipeline).resolves.toBeDefined();
  });
});
