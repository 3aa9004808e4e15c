import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProfileInput } from 'assize';
import { rankBy } from './ranked.js';

type Written = NonNullable<ProfileInput['adjustments']>[number];

/** The effect of a rule on a score, implemented naively. */
interface Rule {
  readonly written: Omit<Written, 'id'>;
  readonly apply: (score: number, candidate: Candidate) => number;
}

interface Candidate {
  readonly a: number;
  readonly b?: number;
  readonly kind: string;
}

const number = fc.integer({ min: -40, max: 40 }).map((n) => n / 8);

/** The value of an amount; undefined if it reads an absent value. */
const amounts: fc.Arbitrary<{ text: number | string; of: (score: number, c: Candidate) => number | undefined }> =
  fc.oneof(
    number.map((n) => ({ text: n, of: () => n })),
    fc.constant({ text: 'candidate.a', of: (_: number, { a }: Candidate) => a }),
    fc.constant({
      text: 'candidate.b * 2',
      of: (_: number, { b }: Candidate) => (b === undefined ? undefined : b * 2),
    }),
    fc.constant({ text: 'score / 2 + scores.s', of: (score: number, { a }: Candidate) => score / 2 + a }),
  );

const conditions = fc.constantFrom<{ text?: string; holds: (score: number, c: Candidate) => boolean }>(
  { holds: () => true },
  { text: 'candidate.a > 0', holds: (_, { a }) => a > 0 },
  { text: 'score < 1', holds: (score) => score < 1 },
  { text: 'candidate.b > 0', holds: (_, { b }) => b !== undefined && b > 0 },
);

const OPERATIONS = {
  set: (_: number, amount: number) => amount,
  add: (score: number, amount: number) => score + amount,
  multiply: (score: number, amount: number) => score * amount,
  min: (score: number, amount: number) => Math.max(score, amount),
  max: (score: number, amount: number) => Math.min(score, amount),
};
const NAMES = ['set', 'add', 'multiply', 'min', 'max'] as const;

const plainRule: fc.Arbitrary<Rule> = fc
  .tuple(
    conditions,
    fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
    fc.array(amounts, { minLength: 5, maxLength: 5 }),
  )
  .map(([when, names, of]) => ({
    written: {
      ...(when.text && { when: when.text }),
      // In any order: they are applied as set, add, multiply, min, max.
      ...Object.fromEntries(names.map((name) => [name, of[NAMES.indexOf(name)]!.text])),
    },
    apply: (score, candidate) => {
      if (!when.holds(score, candidate)) return score;
      return NAMES.filter((name) => names.includes(name)).reduce((result, name) => {
        const amount = of[NAMES.indexOf(name)]!.of(score, candidate);
        return amount === undefined ? result : OPERATIONS[name](result, amount);
      }, score);
    },
  }));

const tableRule: fc.Arbitrary<Rule> = fc.tuple(number, number, number).map(([x, y, missing]) => ({
  written: {
    multiply: {
      table: { x: { few: x }, y: { many: y } },
      by: ['candidate.kind', 'candidate.b > 0 ? "many" : "few"'],
      missing,
    },
  },
  apply: (score, { kind, b }) => {
    if (b === undefined) return score; // a key that is absent: the rule does not fire
    const level = b > 0 ? 'many' : 'few';
    return score * (kind === 'x' && level === 'few' ? x : kind === 'y' && level === 'many' ? y : missing);
  },
}));

const candidates = fc.array(
  fc.record({ a: number, b: number, kind: fc.constantFrom('x', 'y', 'z') }, { requiredKeys: ['a', 'kind'] }),
  { minLength: 1, maxLength: 8 },
);

test('rules apply in order, like a naive implementation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(plainRule, tableRule), { maxLength: 5 }), candidates, async (rules, list) => {
      const adjustments = rules.map(({ written }, i) => ({ id: `r${i}`, ...written }));
      const { ranked } = await rankBy({ tier2_scorers: [{ id: 's', expr: 'candidate.a' }], adjustments }, list);
      const scores = Object.fromEntries(ranked.map(({ index, score }) => [index, score + 0]));
      const expected = list.map((one) => rules.reduce((score, { apply }) => apply(score, one), one.a) + 0);
      expect(scores).toEqual(Object.fromEntries(expected.entries()));
    }),
    { numRuns: 200 },
  );
});

test('a factor of 0 gives a score of 0, or refuses', async () => {
  const rule = (zero: 'score' | 'refuse'): ProfileInput => ({
    tier2_scorers: [{ id: 's', expr: '1.0' }],
    adjustments: [{ id: 'r', multiply: { table: { x: 0 }, by: ['candidate.kind'], zero } }],
  });
  const list = [{ kind: 'x' }, { kind: 'y' }];
  expect((await rankBy(rule('score'), list)).ranked.map(({ score }) => score)).toEqual([1, 0]);
  const { ranked, refused } = await rankBy(rule('refuse'), list);
  expect(ranked.map(({ index }) => index)).toEqual([1]);
  expect(refused).toMatchObject([{ index: 0, kind: 'veto', by: 'r' }]);
});

test('a rule that fails refuses its candidate, and the others continue', async () => {
  const adjustments = [{ id: 'r', add: 'candidate.a * 1e308 * 10.0' }];
  const ranking = await rankBy({ tier2_scorers: [{ id: 's', expr: '1.0' }], adjustments }, [
    { a: 'odd' },
    { a: 0 },
    { a: 9 },
  ]);
  expect(ranking.ranked.map(({ index }) => index)).toEqual([1]);
  expect(ranking.refused.map(({ index, kind, by }) => [index, kind, by])).toEqual([
    [0, 'error', 'r'],
    [2, 'error', 'r'],
  ]);
  expect(ranking.degraded).toMatchObject([{ entry: 'r', stage: 'adjust', count: 2 }]);
});
