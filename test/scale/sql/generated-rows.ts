import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { DuckDBInstance } from '@duckdb/node-api';
import { createPipeline, type ProfileInput } from 'assize';
import { CONTEXT } from './arbitraries.js';

/** The number of generated rows: `ROWS=1000000` for all. */
export const ROWS = Number(process.env['ROWS'] ?? 2000);

/** A row with one type per column; `a` may be NaN, infinite or −0. */
export interface TypedRow {
  readonly id: number;
  readonly a: number | null;
  readonly n: number | null;
  readonly s: string | null;
  readonly t: string | null;
  readonly f: boolean | null;
}

const ulp = (value: number, steps: number): number => value * (1 + steps * 2 ** -52);
const EDGE = 2.75;
/** Thresholds and their neighbours, ties, and extreme inputs of arithmetic. */
const NUMBERS = [
  ...[0.1 + 0.2, EDGE, 0.5, 17].flatMap((value) => [-2, -1, 0, 1, 2].map((steps) => ulp(value, steps))),
  0,
  -0,
  1,
  -1,
  1e21,
  1e300,
  -1e308,
  5e-324,
  1e-200,
  Number.NaN,
  Infinity,
  -Infinity,
  2 ** 53 + 2,
];
const WHOLE = [0, 1, 2, 3, -5, 2 ** 53, -(2 ** 60), 9007199254740992];
const TEXTS = ['', 'a', 'ab', 'é', '😀', '\u{10FFFF}', '\uE000', "it's", 'a"b', 'back\\slash', 'İ', '12', 'null'];
const TIMES = ['2011-01-31', '2012-02-29', '1999-12-31T23:59:59Z', '2011-01-31T12:00:00.123Z', 'soon', '2011-02-30'];

/** The same rows for the same number, by a linear congruential generator. */
export function* typedRows(count: number): Generator<TypedRow> {
  let state = 20_260_131;
  const next = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const pick = <V>(values: readonly V[]): V => values[Math.floor(next() * values.length)]!;
  const some = <V>(value: V): V | null => (next() < 0.1 ? null : value);
  for (let id = 0; id < count; id++) {
    const a = next() < 0.02 ? pick(NUMBERS) : Math.round(next() * 40_000) / 2000;
    yield {
      id,
      a: some(a),
      n: some(next() < 0.02 ? pick(WHOLE) : Math.floor(next() * 40)),
      s: some(pick(TEXTS)),
      t: some(
        next() < 0.01
          ? pick(TIMES)
          : `20${10 + Math.floor(next() * 2)}-0${1 + Math.floor(next() * 5)}-1${Math.floor(next() * 9)}`,
      ),
      f: some(next() < 0.2),
    };
  }
}

/** The same with values of any type, as in JSON: `b` and `m` often have the wrong one. */
export function* mixedRows(count: number): Generator<Pick<TypedRow, 'a'>> {
  const wrong = [true, '12', [1], {}, null, 'x', 1e40, -3];
  for (const row of typedRows(count)) {
    const b = row.id % 17 === 0 ? wrong[(row.id / 17) % wrong.length] : (row.id * 7919) % 1000;
    const mixed = { ...row, b, ...(row.id % 5 > 0 && { m: { 'x y': row.id % 13 === 0 ? 'seven' : row.id % 7 } }) };
    yield JSON.parse(JSON.stringify(mixed)) as Pick<TypedRow, 'a'>;
  }
}

/** A profile that depends on all of these values. */
export const TYPED_PROFILE: ProfileInput = {
  name: 'typed',
  tier1_scorers: [
    { id: 'flagged', expr: 'candidate.f' },
    { id: 'edge', expr: `candidate.a == ${0.1 + 0.2} || ln(abs(candidate.a) + 1) == ${Math.log(EDGE + 1)}` },
    { id: 'high', class: 'ThresholdVeto', params: { value: 'a', max: ulp(17, 1) } },
    { id: 'undated', expr: 'candidate.t == null && candidate.n != null && null != candidate.s' },
    { id: 'texts', expr: 'candidate.s.contains("😀") && candidate.n in [1, 2]', on_absent: 'refuse' },
  ],
  tier2_scorers: [
    { id: 'log', expr: 'clamp(ln(abs(candidate.a) + 1) / 3, 0, 1)', weight: 2, on_error: 0.25 },
    { id: 'fresh', class: 'DecayScorer', params: { field: 't', curve: { type: 'exponential', half_life: '365d' } } },
    { id: 'whole', expr: 'clamp(candidate.n / 40, 0, 1)', on_absent: 0.5 },
    { id: 'power', expr: 'pow(clamp(candidate.a, 0, 10) / 10, 1.5)', on_absent: 'refuse', on_error: 'refuse' },
  ],
  adjustments: [
    { id: 'kind', multiply: { table: { a: 0.9, '😀': 1.1 }, by: ['candidate.s'], missing: 1 } },
    { id: 'even', when: 'candidate.n % 2 == 0', add: 0.01, max: 1 },
  ],
  select: { top: 40 },
};

export const MIXED_PROFILE: ProfileInput = {
  ...TYPED_PROFILE,
  name: 'mixed',
  tier2_scorers: [
    ...TYPED_PROFILE.tier2_scorers!,
    { id: 'wrong', expr: 'clamp(candidate.b / 1000, 0, 1)', on_error: 0.1 },
    { id: 'inside', expr: 'candidate.m["x y"] / 7', on_error: 'skip', weight: 0.5 },
  ],
};

/** The profile with a `min_score` that is the score of one of the rows, one unit in the last place higher. */
export async function withMinScore(profile: ProfileInput, rows: Iterable<object>): Promise<ProfileInput> {
  const pipeline = await createPipeline<object>(profile);
  const { selected } = await pipeline.rankStream(rows, CONTEXT);
  const score = selected[Math.floor(selected.length / 2)]?.score ?? 0;
  return { ...profile, select: { ...profile.select, min_score: ulp(score, 1) } };
}

/** Writes rows as JSON Lines: NaN, the infinities and −0 as strings if they are to be cast. */
export async function writeLines(file: string, rows: Iterable<object>, asTexts = false): Promise<void> {
  const out = createWriteStream(file);
  const text = (_: string, value: unknown): unknown =>
    typeof value === 'number' && asTexts ? (Object.is(value, -0) ? '-0' : String(value)) : value;
  for (const row of rows) if (!out.write(`${JSON.stringify(row, text)}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
}

/** Copies a query to a Parquet file, in its order. */
export async function writeParquet(file: string, query: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
}

/** Reads the rows that were written as strings, with their types. */
export const typedQuery = (lines: string): string =>
  `SELECT CAST(id AS BIGINT) AS id, CAST(a AS DOUBLE) AS a, CAST(n AS BIGINT) AS n, s, t, f FROM read_json('${lines}', format = 'newline_delimited', columns = {id: 'VARCHAR', a: 'VARCHAR', n: 'VARCHAR', s: 'VARCHAR', t: 'VARCHAR', f: 'BOOLEAN'})`;
