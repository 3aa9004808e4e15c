import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Score } from '../../src/sdk/unit.js';
import { type Arithmetic, ARITHMETICS, combineRow } from '../../src/engine/kernel/combine-methods.js';
import { makeScoreLoop, unsound } from '../../src/engine/kernel/score-loop.js';
import { PartialRows } from '../../src/engine/kernel/run-buffers.js';
import { BestRows } from '../../src/engine/kernel/top-rows.js';
import { makeVetoLoop, verdictOf, type VetoInput } from '../../src/engine/kernel/veto-loop.js';
import { columns, type ProfileInput, scorer } from 'assize';
import { candidatesWith, odd, positive } from './arbitraries.js';
import { rankBy, refusalsOf } from './ranked.js';

const THROWS = Symbol('throws');

/** Values of a scorer: mostly numbers, sometimes any value. */
const answer = fc.oneof(
  { weight: 12, arbitrary: fc.double({ min: -1e3, max: 1e3, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, Number.NaN, Infinity, -Infinity, '5', 0, THROWS) },
);

const say = (value: unknown): number => {
  if (value === THROWS) throw new Error('it threw');
  return value as number;
};

/** Tables of values, by row and scorer; more scorers than one group of the loop has. */
const tables = fc
  .integer({ min: 1, max: 20 })
  .chain((scorers) => fc.array(fc.array(answer, { minLength: scorers, maxLength: scorers }), { minLength: 1 }));

/** About three scorers fill a group. */
const SIZE = 300;

function totalsOf(
  arithmetic: Arithmetic,
  table: readonly unknown[][],
  weights: Float64Array,
  codegen: boolean,
  cases: boolean,
) {
  const width = table[0]!.length;
  const loop = makeScoreLoop(
    { entries: Array.from({ length: width }, () => ({ size: SIZE })), arithmetic, cases },
    codegen,
  );
  const kept = Int32Array.from(table.keys());
  const scorers = Array.from(
    { length: width },
    (_, k): Score<unknown> =>
      (row) =>
        say((row as unknown[])[k]),
  );
  const totals = new Float64Array(table.length);
  const partial = new PartialRows(table.length);
  const halved = weights.map((weight) => weight / 2);
  const weightsOf = (_: unknown, row: number) => (row % 2 ? halved : weights);
  const best = new BestRows(totals, 0);
  loop(
    { candidates: table, kept, scorers, weights, weightsOf, totals, best, unsound, partial, caught: () => {} },
    0,
    table.length,
  );
  return { totals, weightsOf };
}

/** Zero has no sign here: other tests check which zero a sum starts with. */
const finite = (total: number): number | undefined => (Number.isFinite(total) ? total + 0 : undefined);
const isOdd = (value: unknown): boolean => typeof value !== 'number' || !Number.isFinite(value);

describe.each(Object.entries(ARITHMETICS))('the loop of %s', (_, arithmetic) => {
  test.each([true, false])('generated, plain and row by row it gives the same bits (weights by case: %s)', (cases) => {
    const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(tables, weights, (table, given) => {
        const vector = Float64Array.from(given.slice(0, table[0]!.length));
        const fast = totalsOf(arithmetic, table, vector, true, cases);
        const plain = totalsOf(arithmetic, table, vector, false, cases);
        for (const [row, answers] of table.entries()) {
          const [total, other] = [fast.totals[row]!, plain.totals[row]!];
          const settled = answers.some(isOdd)
            ? undefined
            : combineRow(arithmetic, answers as number[], cases ? fast.weightsOf(answers, row) : vector);
          // Values that are not finite take the slow path; a row with weights of 0 is handled by the means.
          expect(finite(other)).toBe(finite(total));
          // With weight 0 and score 0 the loop of a geometric mean gives NaN, and the slow path skips it.
          const left = arithmetic.skipsZeroWeight && !Number.isFinite(total);
          expect(settled === undefined || left ? finite(total) : finite(settled)).toBe(finite(total));
          expect(answers.some(isOdd) && Number.isFinite(total)).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
  });
});

test('the loop of vetoes: generated and plain give the same verdicts and the same kept', () => {
  const refusal = fc.constantFrom<unknown>(true, false, false, false, undefined, null, 1, THROWS);
  const rows = fc
    .integer({ min: 1, max: 12 })
    .chain((vetoes) =>
      fc.tuple(
        fc.array(fc.array(refusal, { minLength: vetoes, maxLength: vetoes })),
        fc.array(fc.boolean(), { minLength: vetoes, maxLength: vetoes }),
      ),
    );
  fc.assert(
    fc.property(rows, ([table, passAbsent]) => {
      const run = (codegen: boolean) => {
        const input: VetoInput = {
          candidates: table,
          vetoes: passAbsent.map((_, k) => (row) => say((row as unknown[])[k]) as unknown as boolean),
          passAbsent,
          first: 3,
          kept: new Int32Array(table.length),
          verdicts: new Uint16Array(table.length),
          evaluate: (index) => (index % 2 ? verdictOf(1, 'error') : 0),
        };
        const count = makeVetoLoop(
          passAbsent.map(() => ({ size: 0 })),
          codegen,
        )(input, 0, table.length, 0);
        return { kept: [...input.kept.subarray(0, count)], verdicts: [...input.verdicts] };
      };
      expect(run(true)).toEqual(run(false));
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['in one pass', { expr: 'candidate.f2 / 2' }],
  ['in two, with one that is prepared', { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.f2' } } }],
])('a whole ranking is the same without code generation: %s', async (_, third) => {
  const field = fc.oneof({ weight: 6, arbitrary: positive }, { weight: 1, arbitrary: odd });
  const rules = fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 'refuse', 0.5);
  const range = fc.constantFrom<'warn' | 'clamp'>('warn', 'clamp');
  const units = { First: scorer((candidate: { f0?: number | null }) => candidate.f0 ?? undefined, { range: [0, 10] }) };
  await fc.assert(
    fc.asyncProperty(
      candidatesWith(field),
      rules,
      rules,
      range,
      async (candidates, on_absent, on_error, out_of_range) => {
        const profile: ProfileInput = {
          tier1_scorers: [{ id: 'v', expr: 'candidate.f3 > 50' }],
          tier2_scorers: [
            { id: 'a', class: 'First', weight: 3, on_absent, on_error, out_of_range },
            { id: 'b', expr: 'candidate.f1 * 2', on_absent, on_error },
            { id: 'c', ...third, on_absent, on_error },
          ],
          weights: { by: 'candidate.id', cases: { c1: { a: 9 }, c3: { b: 0 } } },
          adjustments: [{ id: 'r', when: 'scores.b > 5', multiply: 3 }],
        };
        const run = (codegen: boolean) => rankBy(profile, candidates, {}, { units, codegen });
        const [fast, plain] = [await run(true), await run(false)];
        expect(plain.ranked).toEqual(fast.ranked);
        expect(refusalsOf(plain)).toEqual(refusalsOf(fast));
        expect(plain.degraded).toEqual(fast.degraded);
        for (const id of plain.matrix.entries) expect(plain.matrix.column(id)).toEqual(fast.matrix.column(id));
        const [again, plainly] = [fast, plain].map((one) => one.reweigh({ weights: { a: 0.5 } }));
        expect(plainly!.ranked).toEqual(again!.ranked);
      },
    ),
    { numRuns: 150 },
  );
});

const HOSTILE = [
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\u2028',
  '*/',
  '//',
  '${',
  '}',
  ')',
  ';',
  ']',
  'x',
  '$0',
  '_1',
  '__proto__',
];

/** Texts that would leave their place in generated code if it quoted them wrongly. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...HOSTILE,
      'globalThis.escaped=1',
      'constructor',
      'process.exit()',
      '});globalThis.escaped=1;(()=>{',
      'return 1',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));

test('no name and no text of a profile becomes code', async () => {
  const quoted = JSON.stringify;
  const value = fc.oneof(hostile, fc.double({ noNaN: true, min: -9, max: 9 }), fc.constant(null));
  const arbitrary = fc
    .uniqueArray(hostile, { minLength: 3, maxLength: 3 })
    .chain((fields) =>
      fc.tuple(fc.constant(fields), hostile, fc.array(fc.tuple(value, value, value), { maxLength: 4 })),
    );
  await fc.assert(
    fc.asyncProperty(arbitrary, async ([[a = '', b = '', c = ''], text, rows]) => {
      const profile: ProfileInput = {
        tier1_scorers: [{ id: 'v', expr: `candidate[${quoted(c)}] == ${quoted(text)}` }],
        tier2_scorers: [
          { id: 'one', expr: `candidate[${quoted(a)}] in [${quoted(text)}, "x"] ? 1 : 2`, on_absent: 0 },
          {
            id: 'two',
            class: 'CurveScorer',
            params: {
              value: `[${quoted(b)}]`,
              points: [
                [0, 0],
                [1, 2],
              ],
            },
          },
        ],
        weights: { by: `candidate[${quoted(a)}]`, cases: { [text === '__proto__' ? 'reserved' : text]: { one: 3 } } },
        adjustments: [
          { id: 'rule', when: `candidate[${quoted(a)}] != ${quoted(text)}`, add: `candidate[${quoted(b)}]` },
        ],
      };
      const fields = rows.map((row) => Object.fromEntries([a, b, c].map((name, k) => [name, row[k]])));
      for (const candidates of [fields, columns({ [a]: rows.map(([one]) => one), [b]: rows.map(([, two]) => two) })]) {
        const run = (codegen: boolean) => rankBy(profile, candidates, {}, { codegen });
        const [fast, plain] = [await run(true), await run(false)];
        expect(plain.ranked).toEqual(fast.ranked);
        expect(refusalsOf(plain)).toEqual(refusalsOf(fast));
      }
      expect('escaped' in globalThis).toBe(false);
    }),
    { numRuns: process.env['FUZZ'] === undefined ? 200 : 100_000 },
  );
});
