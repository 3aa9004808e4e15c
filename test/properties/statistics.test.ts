import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { columns, createPipeline, evaluate, type ProfileInput } from 'assize';
import { ExactSum } from '../../src/base/index.js';
import { type Candidate, candidatesWith, odd } from './arbitraries.js';

const WHICH = ['min', 'max', 'sum', 'mean', 'count', 'stddev', 'stddev_sample'] as const;

/** Without numbers so small that the reference cannot round their squares. */
const double = (most: number) =>
  fc.double({ min: -most, max: most, noNaN: true }).map((value) => (Math.abs(value) < 1e-100 ? 0 : value));
const number = fc.oneof(double(1e6), double(1e-6), fc.integer({ min: -3, max: 3 }));
const values = fc.oneof({ weight: 6, arbitrary: number }, { weight: 1, arbitrary: odd });
const rows = candidatesWith(values, 30);

type Numbers = Readonly<Record<(typeof WHICH)[number], number | undefined>>;

/** The statistics as their definitions have them, with sums of whole numbers. */
function reference(all: readonly unknown[]): Numbers {
  const found = all.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  const n = found.length;
  const some = (value: number): number | undefined => (n === 0 ? undefined : value);
  const sum = exact(found);
  const mean = Math.min(...found) === Math.max(...found) ? found[0]! : sum / n;
  const squares = exact(found.map((value) => (value - mean) ** 2));
  return {
    min: some(Math.min(...found)),
    max: some(Math.max(...found)),
    sum,
    mean: some(mean),
    count: n,
    stddev: some(Math.sqrt(squares / n)),
    stddev_sample: n > 1 ? Math.sqrt(squares / (n - 1)) : undefined,
  };
}

/** A sum over a common denominator, rounded once. */
function exact(numbers: readonly number[]): number {
  const sum = numbers.reduce((total, value) => total + scaled(value), 0n);
  return sum === 0n ? 0 : unscaled(sum);
}

const SHIFT = 1100n;
const view = new DataView(new ArrayBuffer(8));

/** A double times 2^1100, as a whole number. */
function scaled(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const digits = bits & ((1n << 52n) - 1n);
  const [whole, power] = exponent === 0n ? [digits, 1n] : [digits | (1n << 52n), exponent];
  const size = whole << (power - 1075n + SHIFT);
  return bits >> 63n ? -size : size;
}

/** The double nearest to a whole number divided by 2^1100; to even, between two. */
function unscaled(given: bigint): number {
  const size = given < 0n ? -given : given;
  const extra = BigInt(size.toString(2).length) - 53n;
  let digits = extra > 0n ? size >> extra : size;
  if (extra > 0n) {
    const rest = size & ((1n << extra) - 1n);
    const half = 1n << (extra - 1n);
    if (rest > half || (rest === half && (digits & 1n) === 1n)) digits += 1n;
  }
  const value = Number(digits) * 2 ** Number((extra > 0n ? extra : 0n) - SHIFT);
  return given < 0n ? -value : value;
}

/** A scorer for each number of a statistic, so that the scores show them. */
const readers = (name: string) =>
  WHICH.map((which) => ({ id: `${name}_${which}`, expr: `stats.${name}.${which} + candidate.zero`, on_absent: -7 }));

const grouped: ProfileInput = {
  tier1_scorers: [{ id: 'odd', expr: 'candidate.f1 == "odd"' }],
  stats: {
    all: 'candidate.f0',
    own: { of: 'candidate.f0', by: 'candidate.group', when: '!has(candidate.f2) || candidate.f2 != "odd"' },
  },
  tier2_scorers: [...readers('all'), ...readers('own')],
  combine: 'weighted_sum',
};

type Row = Candidate & { readonly group?: number };

const inGroups = (candidates: readonly Candidate[]): Row[] =>
  candidates.map((one, i): Row => ({ ...one, zero: 0, ...(i % 4 < 3 && { group: i % 3 }) }));

/** The scores of the row at each position: the statistics of all, then those of its group. */
async function numbersOf(given: readonly Row[], options: object = { codegen: true }): Promise<Map<string, number[]>> {
  const pipeline = await createPipeline<object>(grouped, options);
  const { ranked, matrix } = pipeline.rankSync(given);
  const shown = matrix.entries.map((entry) => matrix.column(entry).resolved);
  const rowOf = new Map([...matrix.index].map((index, row) => [index, row]));
  return new Map(ranked.map(({ id, index }) => [id, shown.map((column) => column[rowOf.get(index)!]! + 0)]));
}

test('statistics are those of the kept candidates, and of the group of each', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (plain) => {
      const given = inGroups(plain);
      const kept = given.filter((row) => row['f1'] !== 'odd');
      const found = await numbersOf(given);
      const shown = (numbers: Numbers) => WHICH.map((which) => (numbers[which] ?? -7) + 0);
      for (const row of kept) {
        const members = kept.filter((other) => other.group === row.group && other['f2'] !== 'odd');
        const own =
          row.group === undefined ? WHICH.map(() => -7) : shown(reference(members.map((other) => other['f0'])));
        expect(found.get(row.id)).toEqual([...shown(reference(kept.map((other) => other['f0']))), ...own]);
      }
    }),
    { numRuns: 60 },
  );
});

test('they do not depend on the order of the candidates, on code generation, or on how candidates are stored', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.infiniteStream(fc.nat()), async (plain, order) => {
      const given = inGroups(plain);
      const found = await numbersOf(given);
      const shuffled = given
        .map((row) => [order.next().value, row] as const)
        .toSorted(([a], [b]) => Number(a) - Number(b));
      const again = await numbersOf(shuffled.map(([, row]) => row));
      expect(Object.fromEntries(again)).toEqual(Object.fromEntries(found));
      expect(await numbersOf(given, { codegen: false })).toEqual(found);
      const keys = ['id', 'f0', 'f1', 'f2', 'f3', 'zero', 'group'] as const;
      const stored = Object.fromEntries(keys.map((key) => [key, given.map((row) => row[key])]));
      expect(await numbersOf(columns(stored) as unknown as readonly Row[])).toEqual(found);
    }),
    { numRuns: 40 },
  );
});

test('an exact sum is the sum of the exact numbers, rounded once', () => {
  fc.assert(
    fc.property(fc.array(double(1e300)), (numbers) => {
      const sum = new ExactSum();
      for (const one of numbers) sum.add(one);
      expect(sum.value + 0).toBe(exact(numbers));
    }),
    { numRuns: 300 },
  );
});

const NAMED = {
  number: 'candidate.f0 * 2 - candidate.f1',
  total: 'number + double(candidate.f2) / 3',
  text: 'string(candidate.f3) + "x"',
  list: '[candidate.f0, candidate.f1].filter(x, x > 0)',
  either: 'candidate.?f2.orValue(1.5)',
  big: 'number > 10 || candidate.f3 == "odd"',
  spread: 'candidate.f0 - stats.f0.mean',
} as const;

/** An expression with the names replaced by their expressions. */
const written = (text: string): string =>
  text.replace(/\b(?<![."])([a-z]\w*)\b(?!\()/g, (name) =>
    Object.hasOwn(NAMED, name) ? `(${written(NAMED[name as keyof typeof NAMED])})` : name,
  );

const EXPRESSIONS = [
  'number + 1',
  'total / number',
  'size(text) + size(list)',
  'either * number',
  'big ? number : either',
  'list.exists(y, y > number) ? total : 0.25',
  'spread * spread',
  'has(candidate.f3) ? spread : number',
  'total == null ? 3 : total',
];

const RULES = [
  { id: 'r0', when: 'big && number < 40', multiply: 'either' },
  { id: 'r1', when: '!big', add: 'spread / 2', max: 50 },
];

const withNames: ProfileInput = {
  let: NAMED,
  stats: { f0: 'candidate.f0' },
  tier1_scorers: [{ id: 'v', expr: 'big && either < 0' }],
  measures: [{ id: 'm', expr: 'number / 2' }],
  tier2_scorers: [...EXPRESSIONS, 'measures.m + number'].map((expr, k) => ({ id: `s${k}`, expr, on_error: 'skip' })),
  combine: 'weighted_sum',
  adjustments: RULES,
  select: { ties: ['text', 'number'] },
};

const inFull: ProfileInput = {
  ...withNames,
  let: {},
  tier1_scorers: [{ id: 'v', expr: written('big && either < 0') }],
  measures: [{ id: 'm', expr: written('number / 2') }],
  tier2_scorers: [...EXPRESSIONS, 'measures.m + number'].map((expr, k) => ({
    id: `s${k}`,
    expr: written(expr),
    on_error: 'skip',
  })),
  adjustments: RULES.map((rule) => ({
    ...rule,
    when: written(rule.when),
    ...('add' in rule ? { add: written(rule.add) } : { multiply: written(rule.multiply) }),
  })),
  select: { ties: [written('text'), written('number')] },
};

test('a named expression has the value of the expression written out', async () => {
  const [named, full, plain] = await Promise.all([
    createPipeline<Candidate>(withNames, { codegen: true }),
    createPipeline<Candidate>(inFull, { codegen: true }),
    createPipeline<Candidate>(withNames, { codegen: false }),
  ]);
  fc.assert(
    fc.property(rows, (given) => {
      const outcome = (pipeline: typeof named) => {
        const { ranked, refused, matrix } = pipeline.rankSync(given);
        return {
          ranked: ranked.map(({ id, score }) => [id, score]),
          columns: matrix.entries.map((entry) => matrix.column(entry)),
          refused: refused.map(({ id, by, kind }) => [id, by, kind]),
        };
      };
      const found = outcome(named);
      expect(found).toEqual(outcome(full));
      expect(found).toEqual(outcome(plain));
      const ranking = named.rankSync(given);
      for (const { id, score } of ranking.ranked) expect(evaluate(ranking.explain(id))).toBe(score);
    }),
    { numRuns: 150 },
  );
});
