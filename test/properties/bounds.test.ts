import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ARITHMETICS, combineRow } from '../../src/engine/kernel/combine-methods.js';
import { COMBINE_METHOD_NAMES, hasRelativeWeights } from '../../src/profile/combine-methods.js';
import { type ScoreBounds, upperBound } from '../../src/engine/stages/score/second-phase.js';

const METHODS = COMBINE_METHOD_NAMES.map((method) => [method, ARITHMETICS[method]] as const);

const WIDTH = 5;

const finite = fc.oneof(
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -1e300, max: 1e300, noNaN: true }),
);

/** A scorer that was not called: its range, and the value that it would have given. */
const open = fc
  .record({ ends: fc.tuple(finite, finite), missing: fc.boolean(), at: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ ends: [a, b], missing: maySkip, at }) => {
    const [lower, upper] = [Math.min(a, b), Math.max(a, b)];
    const inside = Math.min(upper, Math.max(lower, lower + at * (upper - lower)));
    const values: (number | undefined)[] = [lower, upper, inside];
    return {
      prospect: { lower, upper, maySkip } satisfies ScoreBounds,
      values: maySkip ? [...values, undefined] : values,
    };
  });

const row = fc.record({
  known: fc.array(fc.option(finite, { nil: undefined }), { minLength: WIDTH, maxLength: WIDTH }),
  weights: fc.array(finite, { minLength: WIDTH, maxLength: WIDTH }),
  open: fc.uniqueArray(fc.tuple(fc.nat(WIDTH - 1), open), { selector: ([position]) => position, maxLength: 3 }),
});

/** Every row that the remaining scorers can produce from this one. */
function* completions(
  values: readonly (number | undefined)[],
  asked: readonly (readonly [number, { readonly values: readonly (number | undefined)[] }])[],
): Generator<readonly (number | undefined)[]> {
  const [first, ...rest] = asked;
  if (!first) yield values;
  else for (const value of first[1].values) yield* completions(values.with(first[0], value), rest);
}

describe('the upper bound of a row', () => {
  test.each(METHODS)('%s: no values of scorers exceed it, to the last bit', (method, arithmetic) => {
    fc.assert(
      fc.property(row, ({ known, weights, open: asked }) => {
        const w = Float64Array.from(weights, (weight) => (hasRelativeWeights(method) ? Math.abs(weight) : weight));
        const places = asked.map(([position]) => position);
        const prospects: ScoreBounds[] = [];
        for (const [position, { prospect }] of asked) prospects[position] = prospect;
        const most = upperBound(arithmetic, [...known], w, places, prospects);
        let greatest = -Infinity;
        for (const values of completions(known, asked)) {
          const total = combineRow(arithmetic, values, w);
          // A value that is not finite refuses the candidate.
          if (total !== undefined && Number.isFinite(total)) greatest = Math.max(greatest, total);
        }
        expect(greatest).toBeLessThanOrEqual(most);
        if (arithmetic.slack === 1 && Number.isFinite(most) && Number.isFinite(greatest)) expect(greatest).toBe(most);
      }),
      { numRuns: 1000 },
    );
  });

  test('a scorer that may skip the row may leave its weight to better ones', () => {
    const values = [0.9, undefined];
    const weights = Float64Array.of(1, 1);
    const known: ScoreBounds = { lower: 0, upper: 1, maySkip: false };
    const most = (maySkip: boolean): number =>
      upperBound(ARITHMETICS.weighted_sum, [...values], weights, [1], [known, { lower: 0, upper: 0.5, maySkip }]);
    expect(most(true)).toBe(1.8);
    expect(most(false)).toBe(1.4);
  });

  test('is undefined if nothing can be combined, and infinite if nothing is known', () => {
    const prospect: ScoreBounds = { lower: -1, upper: -0.5, maySkip: false };
    expect(upperBound(ARITHMETICS.weighted_sum, [undefined], Float64Array.of(1), [], [])).toBe(-Infinity);
    expect(
      upperBound(ARITHMETICS.geometric_mean, [0.5, undefined], Float64Array.of(1, 1), [1], [prospect, prospect]),
    ).toBe(Infinity);
  });
});
