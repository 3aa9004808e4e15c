import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scorer } from 'assize';
import { COMBINES, type Combine, readsWeights, weights } from './arbitraries.js';
import { rankBy } from './ranked.js';

type Rule = 'skip' | 'refuse' | number;
type Cell = number | 'absent' | 'fails';

interface Case {
  readonly cells: readonly Cell[];
  readonly weights: readonly number[];
  readonly onAbsent: readonly Rule[];
  readonly onError: readonly Rule[];
}

/** The rules of DESIGN for a row, implemented naively: its score, or its refusal. */
function model(combine: Combine, { cells, weights: w, onAbsent, onError }: Case): number | string {
  const present: { value: number; weight: number }[] = [];
  for (const [k, cell] of cells.entries()) {
    const rule = cell === 'absent' ? onAbsent[k]! : cell === 'fails' ? onError[k]! : cell;
    if (rule === 'refuse') return cell === 'absent' ? `absent by s${k}` : `error by s${k}`;
    if (rule !== 'skip') present.push({ value: rule, weight: readsWeights(combine) ? w[k]! : 1 });
  }
  const here = present.reduce((sum, { weight }) => sum + Math.abs(weight), 0);
  const all = w.reduce((sum, weight) => sum + Math.abs(weight), 0);
  if (present.length === 0 || here === 0) return 'unscored by combine';
  const values = present.map(({ value }) => value);
  const sum = present.reduce((total, { value, weight }) => total + weight * value, 0);
  const logs = present.reduce((total, { value, weight }) => total + weight * Math.log(value), 0);
  const combined = {
    weighted_mean: sum / here,
    weighted_sum: (sum * all) / here,
    geometric_mean: Math.exp(logs / here),
    harmonic_mean: here / present.reduce((total, { value, weight }) => total + weight / value, 0),
    product: values.reduce((product, value) => product * value, 1),
    min: Math.min(...values),
    max: Math.max(...values),
  };
  return combined[combine];
}

/** The same refusal, or the same score up to rounding. */
const agreesWith = (expected: number | string) => (seen: unknown) =>
  typeof expected === 'number' && typeof seen === 'number'
    ? Math.abs(seen - expected) <= 1e-12 * Math.max(1, Math.abs(expected))
    : seen === expected;

const WIDTH = 4;
const four = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: WIDTH, maxLength: WIDTH });
const rule = fc.oneof({ weight: 3, arbitrary: fc.constant<Rule>('skip') }, fc.constantFrom<Rule>('refuse', 0.5, 3));
const cell = fc.oneof<fc.Arbitrary<Cell>[]>(
  fc.double({ min: 0.01, max: 10, noNaN: true }),
  fc.constant('absent'),
  fc.constant('fails'),
);

const units = Object.fromEntries(
  Array.from({ length: WIDTH }, (_, k) => [
    `Cell${k}`,
    scorer(({ cells }: Case) => {
      const value = cells[k]!;
      if (value === 'fails') throw new Error('it fails here');
      return value === 'absent' ? undefined : value;
    }),
  ]),
);

describe.each(COMBINES)('%s if scorers are absent or fail', (combine) => {
  test('follows the rules', async () => {
    const given =
      combine === 'weighted_sum' ? four(fc.integer({ min: -3, max: 5 })) : fc.oneof(weights, four(fc.nat(3)));
    const usable = given.filter((w) => w.some((weight) => weight !== 0));
    const rows = fc.array(four(cell), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(usable, four(rule), four(rule), rows, async (w, onAbsent, onError, cells) => {
        const candidates = cells.map((row) => ({ cells: row, weights: w, onAbsent, onError }));
        const tier2_scorers = w.map((weight, k) => ({
          id: `s${k}`,
          class: `Cell${k}`,
          on_absent: onAbsent[k]!,
          on_error: onError[k]!,
          ...(readsWeights(combine) && { weight }),
        }));
        const ranking = await rankBy({ combine, tier2_scorers }, candidates, {}, { units });
        const outcome = new Map<number, number | string>([
          ...ranking.ranked.map(({ index, score }) => [index, score] as const),
          ...ranking.refused.map(({ index, kind, by }) => [index, `${kind} by ${by}`] as const),
        ]);
        for (const [index, candidate] of candidates.entries()) {
          expect(outcome.get(index)).toSatisfy(agreesWith(model(combine, candidate)));
        }
        // `partial` is set exactly if something was skipped.
        for (const { index, partial } of ranking.ranked) {
          const rules = cells[index]!.map((one, k) =>
            one === 'absent' ? onAbsent[k] : one === 'fails' ? onError[k] : 1,
          );
          const present = rules.filter((one) => one !== 'skip').length;
          expect(partial).toEqual(present === WIDTH ? undefined : { present, of: WIDTH });
        }
      }),
      { numRuns: 100 },
    );
  });
});
