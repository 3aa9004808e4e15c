import type { PostgresClient } from 'assize/sql';
import { type ProfileInput } from 'assize';
import { writeLines, writeParquet } from './generated-rows.js';

/** A row of a group, with one type per column. */
export interface GroupedRow {
  readonly id: number;
  readonly shop: string | null;
  readonly number: number | null;
  readonly share: number | null;
  readonly sold: boolean | null;
  readonly made: string | null;
  readonly stars: number | null;
  readonly votes: number | null;
  readonly title: string | null;
}

const SHOPS = ['café', 'cafe\u0301', '東京', "it's", '😀', 'back\\slash', 'a b', 'İzmir', null];
const TITLES = ['tent', 'Zelt', 'テント', 'tarp 😀', null];
const SHARES = [0.5, 0, 0.1 + 0.2, 0.3, -1e-12, null];

/** The same rows for the same number: few different values, so that many rows tie. */
export function groupedRows(count: number): readonly GroupedRow[] {
  let state = 20_261_127;
  const next = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const pick = <V>(values: readonly V[]): V => values[Math.floor(next() * values.length)]!;
  const some = <V>(value: V): V | null => (next() < 0.15 ? null : value);
  return Array.from({ length: count }, (_, id) => ({
    id,
    shop: pick(SHOPS),
    number: some(Math.floor(next() * 5) - 2),
    share: pick(SHARES),
    sold: some(next() < 0.2),
    made: some(new Date(Date.UTC(2026, Math.floor(next() * 3), 1 + Math.floor(next() * 2))).toISOString()),
    stars: some(Math.floor(next() * 6)),
    votes: some(Math.floor(next() * 1000)),
    title: pick(TITLES),
  }));
}

const stars = { id: 'stars', expr: 'candidate.stars / 5', weight: 3 };
const votes = { id: 'votes', expr: 'clamp(ln(candidate.votes + 1) / ln(1000.0), 0, 1)' };
const sold = { id: 'sold', expr: 'candidate.sold' };

/** Profiles that SQL expresses in different parts. */
export const GROUPED_PROFILES: readonly ProfileInput[] = [
  { name: 'exact scores with ties', tier1_scorers: [sold], tier2_scorers: [stars], select: { top: 3 } },
  {
    name: 'bounds, dates and a least score',
    tier1_scorers: [{ id: 'few', class: 'ThresholdVeto', params: { value: 'votes', min: 50 }, on_absent: 'refuse' }],
    tier2_scorers: [
      stars,
      { ...votes, on_absent: 0.1 },
      { id: 'fresh', class: 'DecayScorer', params: { field: 'made', curve: { type: 'exponential', half_life: '9d' } } },
    ],
    adjustments: [{ id: 'named', when: 'candidate.title == "テント"', add: 0.05 }],
    select: { top: 4, min_score: 0.4 },
  },
  {
    name: 'relative scores',
    tier1_scorers: [sold],
    tier2_scorers: [
      {
        id: 'votes',
        class: 'ScaledScorer',
        params: { scorer: { expr: 'candidate.votes' } },
        on_absent: 0,
      },
      stars,
    ],
    select: { top: 5 },
  },
  {
    name: 'at most one of a title',
    tier1_scorers: [sold],
    tier2_scorers: [stars, votes],
    select: { top: 4, per: { by: 'candidate.title', top: 1 } },
  },
  {
    name: 'ties by text, and pinned rows',
    candidate: { pinned: 'candidate.votes > 950' },
    tier2_scorers: [{ ...stars, on_absent: 'refuse' }],
    select: { top: 3, ties: ['candidate.title'] },
  },
  {
    name: 'a scorer that reads Unicode, and every row',
    tier1_scorers: [sold],
    tier2_scorers: [{ id: 'words', expr: 'candidate.title.split(" ").exists(word, word == "😀") ? 1.0 : 0.5' }, stars],
  },
];

/** Writes the rows as JSON Lines, CSV and Parquet. */
export async function writeGrouped(rows: readonly GroupedRow[], file: (ending: string) => string): Promise<void> {
  await writeLines(file('jsonl'), rows);
  const columns =
    "{id: 'BIGINT', shop: 'VARCHAR', number: 'BIGINT', share: 'DOUBLE', sold: 'BOOLEAN', made: 'TIMESTAMPTZ', stars: 'DOUBLE', votes: 'INTEGER', title: 'VARCHAR'}";
  await writeParquet(
    file('parquet'),
    `SELECT * FROM read_json('${file('jsonl')}', format = 'newline_delimited', columns = ${columns})`,
  );
}

/** Fills a table of PostgreSQL. */
export async function fillGrouped(to: PostgresClient, table: string, rows: readonly GroupedRow[]): Promise<void> {
  await to.query(
    `CREATE TABLE ${table} (id bigint PRIMARY KEY, shop text, number int8, share float8, sold boolean, made timestamptz, stars float8, votes int, title text)`,
  );
  await to.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`, [
    JSON.stringify(rows),
  ]);
}

/** The rows with those of a group adjacent, in the order of the groups' first rows. */
export function adjacent<R extends object>(rows: readonly R[], by: string): readonly R[] {
  const groups = new Map<unknown, R[]>();
  for (const row of rows) {
    const value: unknown = Reflect.get(row, by) ?? null;
    const key = value instanceof Date ? value.getTime() : value;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flat();
}
