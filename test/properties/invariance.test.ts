import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  COMBINES,
  candidatesWith,
  entriesOf,
  FIELDS,
  hasRelativeWeights,
  odd,
  positive,
  readers,
  readsWeights,
  simple,
  weights,
} from './arbitraries.js';
import { rankBy, refusalsOf, scoresOf } from './ranked.js';

const RELATIVE = COMBINES.filter(hasRelativeWeights);
const reads = fc.tuple(...Array.from({ length: FIELDS }, (_, k) => readers(`f${k}`)));
const field = fc.oneof({ weight: 9, arbitrary: positive }, { weight: 1, arbitrary: odd });
const runs = { numRuns: 60 };

describe.each(COMBINES)('%s', (combine) => {
  const weightsOf = (given: readonly number[]) => (readsWeights(combine) ? given : undefined);

  test('permuting the input changes no score and, except for ties, no order', async () => {
    const shuffled = candidatesWith(field).chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, reads, weights, async ([list, permuted], read, given) => {
        const profile = { combine, tier2_scorers: entriesOf(read, weightsOf(given)) };
        const [before, after] = [await rankBy(profile, list), await rankBy(profile, permuted)];
        expect(scoresOf(after)).toEqual(scoresOf(before));
        expect(refusalsOf(after).toSorted()).toEqual(refusalsOf(before).toSorted());
        expect(after.ranked.map(({ score }) => score)).toEqual(before.ranked.map(({ score }) => score));
      }),
      runs,
    );
  });

  test('with weights that are not negative, raising a raw score never lowers a rank', async () => {
    const raised = fc.record({
      at: fc.nat(),
      field: fc.nat(FIELDS - 1),
      by: fc.double({ min: 1.001, max: 9, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(candidatesWith(positive), raised, weights, async (list, { at, field: k, by }, given) => {
        fc.pre(list.length > 0);
        const index = at % list.length;
        const better = list.map((one, i) => (i === index ? { ...one, [`f${k}`]: (one[`f${k}`] as number) * by } : one));
        const profile = { combine, tier2_scorers: entriesOf(simple, weightsOf(given)) };
        const rankOf = async (candidates: typeof list) =>
          (await rankBy(profile, candidates)).ranked.find((one) => one.index === index)!.rank;
        expect(await rankOf(better)).toBeLessThanOrEqual(await rankOf(list));
      }),
      runs,
    );
  });
});

describe.each(RELATIVE)('%s: only the proportions of the weights count', (combine) => {
  const scaled = async (factor: fc.Arbitrary<number>, check: (before: number, after: number) => void) =>
    fc.assert(
      fc.asyncProperty(candidatesWith(field), reads, weights, factor, async (list, read, given, by) => {
        const rank = (all: readonly number[]) => rankBy({ combine, tier2_scorers: entriesOf(read, all) }, list);
        const [before, after] = [await rank(given), await rank(given.map((weight) => weight * by))];
        const scores = scoresOf(after);
        expect(refusalsOf(after)).toEqual(refusalsOf(before));
        for (const { id, score } of before.ranked) check(score, scores[id]!);
      }),
      runs,
    );

  test('scaled by a power of two, every bit is equal', () =>
    scaled(
      fc.integer({ min: -20, max: 20 }).map((n) => 2 ** n),
      (before, after) => expect(after).toBe(before),
    ));

  test('scaled by any factor, the scores are equal', () =>
    scaled(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (before, after) => {
      expect(Math.abs(after - before)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(before)));
    }));
});

test.each(RELATIVE)('%s keeps the proportions of weights whose sum overflows', async (combine) => {
  const entries = (unit: number) => [
    { id: 'a', expr: 'candidate.a', weight: unit },
    { id: 'b', expr: 'candidate.b', weight: unit / 2 },
    { id: 'c', expr: 'candidate.c', weight: unit },
  ];
  const candidates = [
    { id: 'x', a: 1, b: 0.5, c: 0.25 },
    { id: 'y', a: 0.5, b: 1 },
  ];
  const small = scoresOf(await rankBy({ combine, tier2_scorers: entries(1) }, candidates));
  const large = scoresOf(await rankBy({ combine, tier2_scorers: entries(1e308) }, candidates));
  for (const [id, score] of Object.entries(small)) expect(large[id]).toBeCloseTo(score, 12);
});
