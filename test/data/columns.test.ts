import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Columns } from '../../src/data/columns.js';
import { columnsOf as columnsOfList, RowCursor } from '../../src/data/rows.js';
import { type ColumnData, columns, createPipeline, type ProfileInput, type Ranking, scorer } from 'assize';
import { messageOf } from '../properties/ranked.js';

type Row = Record<string, unknown>;

/** JSON values, and values that only a program has. */
const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  Number.NaN,
  -0,
  0,
  Infinity,
  'odd',
  '12',
  true,
  2 ** 53 + 2,
  '𝒳 🦊',
  '2026-01-31T12:00:00Z',
  '2025-02-29',
  [1, 2],
  { x: 1 },
);
const number = fc.oneof(
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  fc.integer({ min: 0, max: 4 }).map((n) => n / 2),
);

/** A column in one of its forms, with the value of each row. */
interface Made {
  readonly data: ColumnData;
  readonly values: readonly unknown[];
}

const length = 24;
const listOf = <V>(one: fc.Arbitrary<V>): fc.Arbitrary<V[]> => fc.array(one, { minLength: length, maxLength: length });

const forms: readonly fc.Arbitrary<Made>[] = [
  listOf(fc.oneof({ weight: 5, arbitrary: number }, { weight: 2, arbitrary: odd })).map((values) => ({
    data: values,
    values,
  })),
  listOf(fc.oneof(number, fc.constantFrom(Number.NaN, -0))).map((values) => ({
    data: Float64Array.from(values),
    values,
  })),
  listOf(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })).map((values) => ({
    data: BigInt64Array.from(values),
    values: values.map(Number),
  })),
  fc.tuple(listOf(number), listOf(fc.boolean())).map(([values, present]) => ({
    data: { values: Float64Array.from(values), present: Uint8Array.from(present, Number) },
    values: values.map((value, i) => (present[i] ? value : undefined)),
  })),
  fc
    .tuple(fc.array(odd, { minLength: 1, maxLength: 5 }), listOf(fc.integer({ min: -1, max: 4 })))
    .map(([dictionary, codes]) => ({
      data: { dictionary, codes: Int8Array.from(codes) },
      values: codes.map((code) => (code < 0 ? undefined : dictionary[code])),
    })),
];

const FIELDS = ['f0', 'f1', 'f2', 'when', '__proto__', 'constructor'] as const;

const tables = fc.tuple(...FIELDS.map(() => fc.oneof(...forms)));

const expressions = [
  'candidate.f0 * 1.5 + 0.25',
  'min(candidate.f1 / candidate.f0, 3.0)',
  'exp(-candidate.f1 / 10)',
  'has(candidate.f2) ? 1.0 : 0.5',
  'candidate.constructor',
  'candidate.f0 > candidate.f1 ? candidate.f0 : candidate.f1',
  'candidate.f2 == "odd" ? 2.0 : size(string(candidate.f2))',
  'candidate.?f2.x.orValue(0.25)',
] as const;

const uses = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...expressions).map((expr) => ({ expr })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { class: 'DecayScorer', params: { field: 'when', curve: { type: 'exponential', half_life: '30d' } } },
      { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.f1' } } },
      {
        class: 'CompositeScorer',
        params: { scorers: [{ expr: 'candidate.f0', weight: 2 }, { expr: 'candidate.f1' }] },
      },
      { class: 'Any' },
    ),
  },
);
const rule = fc.constantFrom<'skip' | 'refuse' | 0.5>('skip', 'refuse', 0.5);

const profiles: fc.Arbitrary<ProfileInput> = fc
  .record({
    entries: fc.array(fc.record({ use: uses, on_absent: rule, on_error: rule }), { minLength: 1, maxLength: 4 }),
    veto: fc.constantFrom('candidate.f0 > 100', 'candidate.f2 == null', '!has(candidate.f1)'),
    pass: fc.constantFrom<'pass' | 'refuse'>('pass', 'refuse'),
    extra: fc.constantFrom<ProfileInput>(
      {},
      { weights: { by: 'candidate.f2', cases: { odd: { s0: 3 } } } },
      { adjustments: [{ id: 'r', when: 'candidate.f1 > 0', multiply: 'candidate.f1' }] },
      {
        adjustments: [
          { id: 'z', multiply: { table: { odd: 0, true: 0.5 }, by: ['candidate.f2'], missing: 1, zero: 'refuse' } },
        ],
      },
      { measures: [{ id: 'm', expr: 'candidate.f0 * 2' }] },
      { combine: 'max' },
      { combine: { formula: 's0 * 2 + 1' } },
      { select: { ties: ['candidate.f1', 'input'], min_score: 0.5 } },
    ),
  })
  .map(({ entries, veto, pass, extra }) => ({
    ...extra,
    candidate: { id: 'f2' },
    tier1_scorers: [{ id: 'v', expr: veto, on_absent: pass }],
    tier2_scorers: entries.map(({ use, ...rules }, k) => ({ id: `s${k}`, ...use, ...rules })),
    select: { top: 5, ...extra.select },
  }));

const rowOf = (made: readonly Made[], i: number): Row => {
  const row: Row = {};
  for (const [k, name] of FIELDS.entries()) {
    const value = made[k]!.values[i];
    if (value !== undefined && value !== null)
      Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return row;
};

const rowsOf = (made: readonly Made[]): Row[] => Array.from({ length }, (_, i) => rowOf(made, i));
const columnsOf = (made: readonly Made[]): readonly Row[] =>
  columns(Object.fromEntries(FIELDS.map((name, k) => [name, made[k]!.data])));

const units = { Any: scorer((candidate: Row) => Object.keys(candidate).length) };
const context = { now: '2026-06-01' };

const facts = (ranking: Ranking<Row>): unknown => ({
  ...ranking.toJSON(),
  matrix: ranking.matrix.entries.map((id) => ranking.matrix.column(id)),
  weighed: ranking.reweigh({ weights: { s0: 0.5 } }).ranked,
  explained: ranking.ranked.slice(0, 3).map(({ index }) => ranking.explain({ index })),
});

/** The result of a call, or the message of its error. */
const outcome = async (work: () => unknown): Promise<{ readonly value: unknown } | { readonly failure: unknown }> => {
  try {
    return { value: await work() };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : error };
  }
};

async function all<R>(rows: AsyncIterable<R>): Promise<R[]> {
  const list: R[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('columns rank exactly like objects, in every method', async () => {
  let [succeeded, failed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(tables, profiles, fc.boolean(), fc.boolean(), async (made, profile, codegen, expensive) => {
      vi.restoreAllMocks();
      // A clock that advances by a second per reading: every scorer whose cost is measured is expensive.
      let clock = 0;
      if (expensive) vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
      const pipeline = await createPipeline<Row>(profile, { units, codegen });
      const [objects, byColumn] = [rowsOf(made), columnsOf(made)];
      const same = async (work: (rows: readonly Row[]) => unknown): Promise<void> => {
        const expected = await outcome(() => work(objects));
        expect(await outcome(() => work(byColumn))).toEqual(expected);
        if ('value' in expected) succeeded += 1;
        else failed += 1;
      };
      await same(async (rows) => facts(await pipeline.rank(rows, context)));
      await same((rows) => pipeline.rankSync(rows, context).toJSON());
      await same(async (rows) => (await pipeline.rankStream(rows, context)).toJSON());
      await same((rows) => all(pipeline.scoreStream(rows, context, { terms: true })));
      await same((rows) => pipeline.score(rows[3]!, context, { among: rows }));
    }),
    { numRuns: 120 },
  );
  expect(succeeded).toBeGreaterThan(failed);
});

test.each(['generated', 'plain'])('one cursor reads several sets of columns alternately: %s readers', (how) => {
  const forbidden = function Function(): void {
    throw new EvalError('code generation is forbidden');
  };
  if (how === 'plain') vi.stubGlobal('Function', forbidden);
  const cursor = new RowCursor(new Set(['a', 'b', '__proto__']));
  const numbers = columnsOfList(columns({ a: Float64Array.of(1, -0), b: ['x', 'y'] }))!;
  const others = columnsOfList(
    columns({ a: { values: Int8Array.of(7, 8), present: Uint8Array.of(0, 1) }, c: [1, 2] }),
  )!;
  const fieldsAt = (row: object): unknown => [
    Reflect.get(row, 'a'),
    Reflect.get(row, 'b'),
    Object.keys(row).toSorted(),
  ];
  const keys = ['__proto__', 'a', 'b'];
  const first = cursor.reader(numbers);
  expect(fieldsAt(first(0))).toEqual([1, 'x', keys]);
  const second = cursor.reader(others.slice(1, 2));
  expect(fieldsAt(second(0))).toEqual([8, undefined, keys]);
  expect(fieldsAt(first(1))).toEqual([-0, 'y', keys]);
  expect(fieldsAt(cursor.reader(others)(0))).toEqual([undefined, undefined, keys]);
  expect(fieldsAt(cursor.reader(numbers)(1))).toEqual([-0, 'y', keys]);
  vi.unstubAllGlobals();
});

describe('a list by column', () => {
  const rows = columns({
    id: ['a', 'b', 'c'],
    price: Float64Array.of(1, 2, 3),
    license: { dictionary: ['MIT', 'BSD'], codes: Int8Array.of(1, -1, 0) },
    size: { values: BigInt64Array.of(7n, 8n, 9n), present: Uint8Array.of(1, 0, 1) },
  });

  test('creates an object when its item is read, and keeps it', () => {
    expect(Array.isArray(rows)).toBe(true);
    expect(rows).toHaveLength(3);
    expect([...rows]).toEqual([
      { id: 'a', price: 1, license: 'BSD', size: 7 },
      { id: 'b', price: 2 },
      { id: 'c', price: 3, license: 'MIT', size: 9 },
    ]);
    expect(rows[1]).toBe(rows[1]);
    expect(rows[3]).toBeUndefined();
    expect(1 in rows && !(3 in rows)).toBe(true);
    expect(JSON.stringify(rows.slice(1, 2))).toBe('[{"id":"b","price":2}]');
  });

  test('creates objects only for the output', async () => {
    const size = 10_000;
    const many = columns({
      id: Array.from({ length: size }, (_, i) => `row-${i}`),
      price: Float64Array.from({ length: size }, (_, i) => (i * 7919) % size),
    });
    const profile: ProfileInput = {
      tier1_scorers: [{ id: 'cheap', expr: 'candidate.price < 10' }],
      tier2_scorers: [{ id: 'price', expr: 'candidate.price / 2' }],
      adjustments: [{ id: 'dear', when: 'candidate.price > 100', multiply: 0.5 }],
      select: { top: 3 },
    };
    const made = vi.spyOn(Columns.prototype, 'row');
    const { selected } = (await createPipeline<{ id: string }>(profile)).rankSync(many);
    expect(selected.map(({ candidate }) => candidate.id)).toEqual(selected.map(({ id }) => id));
    // Some more are created from the first rows, which measure the cost of the scorers.
    expect(made.mock.calls.length).toBeLessThan(64);
    made.mockRestore();
  });

  test.each<[string, unknown, object?]>([
    ['a value that is not an object', [Float64Array.of(1)]],
    ['different numbers of rows', { a: [1], b: [1, 2], c: Float64Array.of(1, 2, 3) }],
    ['another length', { a: [1] }, { length: 2 }],
    ['a negative length', {}, { length: -1 }],
    ['no column', { a: 1, b: 'text', c: null, d: new DataView(new ArrayBuffer(8)), e: { values: [1] } }],
    ['as many present as values', { a: { values: [1, 2], present: new Uint8Array(1) } }],
  ])('rejects %s', async (_, data, options) => {
    expect(await messageOf((async () => columns(data as { a: number[] }, options))())).toMatchSnapshot();
  });
});
