/* Swiss rounds and the model of Bradley and Terry: properties of their definitions. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bradleyTerry, type Pair, swissPairs, tournament } from '../../../plugins/rerank/pairwise-rubric-scorer.js';

const PLAYERS = 6;
const player = fc.nat(PLAYERS - 1);
const comparison = fc
  .tuple(player, player, fc.constantFrom(0, 0.25, 0.5, 0.75, 1))
  .filter(([one, other]) => one !== other)
  .map(([one, other, won]) => ({ one, other, won }));

describe('bradleyTerry', () => {
  test('finds the strengths with which the expected wins equal the actual wins', () => {
    fc.assert(
      fc.property(fc.array(comparison, { maxLength: 30 }), (comparisons) => {
        const scores = bradleyTerry(PLAYERS, comparisons);
        const strengths = Array.from(scores, (score) => score / (1 - score));
        for (const [p, strength] of strengths.entries()) {
          const games = comparisons.filter(({ one, other }) => one === p || other === p);
          const won = games.reduce((sum, { one, won: share }) => sum + (one === p ? share : 1 - share), 0.5);
          const rivals = games.map(({ one, other }) => strengths[one === p ? other : one]!);
          const expected = [1, ...rivals].reduce((sum, rival) => sum + strength / (strength + rival), 0);
          expect(expected).toBeCloseTo(won, 8);
        }
      }),
    );
  });

  test('returns 0.5 for an unknown player, and the solution by hand for one comparison', () => {
    // It has won 1 of 1, and half of 1 against a player of strength 1; by symmetry the other has the strength 1 / p. So
    // p² / (p² + 1) + p / (p + 1) = 1.5, which is p³ = p² + p + 3.
    const [one, other, third] = bradleyTerry(3, [{ one: 0, other: 1, won: 1 }]);
    expect(third).toBe(0.5);
    expect(one! + other!).toBeCloseTo(1, 10);
    const strength = one! / (1 - one!);
    expect(strength ** 3).toBeCloseTo(strength ** 2 + strength + 3, 8);
  });
});

test('swissPairs pairs neighbours that have not met, no player twice, and leaves out as few as possible', () => {
  const pairs = fc.uniqueArray(fc.tuple(player, player), { maxLength: 10 });
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5]), pairs, (order, before) => {
      const hasMet = (a: number, b: number) => before.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
      const paired = swissPairs(order, hasMet);
      const within = paired.flat();
      expect(new Set(within).size).toBe(within.length);
      expect(paired.filter(([a, b]) => hasMet(a, b))).toEqual([]);
      const out = order.filter((one) => !within.includes(one));
      for (const one of out) for (const other of out) if (one !== other) expect(hasMet(one, other)).toBe(true);
    }),
  );
  expect(swissPairs([2, 0, 1], () => false)).toEqual([[2, 0]]);
});

describe('tournament', () => {
  const byNumber = (pairs: readonly Pair[]) => Promise.resolve(pairs.map(([one, other]) => (one > other ? 1 : 0)));

  test('orders players like all comparisons would, if there are enough rounds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 16 }), async (players) => {
        const { scores, comparisons } = await tournament(players, 100, byNumber);
        expect(comparisons).toHaveLength((players * (players - 1)) / 2);
        expect(scores).toEqual(scores.toSorted((a, b) => Number(a) - Number(b)));
      }),
      { numRuns: 20 },
    );
  });

  test('finds the best of 32 in the rounds that halve them to one', async () => {
    const { scores, comparisons } = await tournament(32, 5, byNumber);
    expect(comparisons).toHaveLength(5 * 16);
    expect(scores.indexOf(Math.max(...scores.map(Number)))).toBe(31);
  });

  test('stops comparing a player after a failure, and keeps the known results of the others', async () => {
    const asked: Pair[] = [];
    const { scores } = await tournament(6, 3, async (pairs) => {
      asked.push(...pairs);
      return pairs.map(([one, other]) => (one === 0 || other === 0 ? new Error('broke off') : one > other ? 1 : 0));
    });
    expect(asked.filter((pair) => pair.includes(0))).toHaveLength(1);
    expect(scores.filter((score) => score instanceof Error)).toHaveLength(2);
    expect(scores[5]).toBeGreaterThan(0.5);
  });
});
