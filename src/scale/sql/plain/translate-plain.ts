import { type PlanOverrides, overridePlan, NEVER } from '../../../engine/index.js';
import { createPipeline, openProfile, type PipelineOptions } from '../../../pipeline/node.js';
import { openStreamRun } from '../../../pipeline/index.js';
import type { ProfileSource } from '../../../profile/index.js';
import type { Context } from '../../../sdk/index.js';
import { readCandidateChunks } from '../../../data/node.js';
import { fail } from '../dialect.js';
import { DIALECTS, duckdb, type DialectName } from '../dialects.js';
import { formatOf, openInstance } from '../engines/duckdb.js';
import { parseColumns, tableName, type TableOptions } from '../relation.js';
import { type PlainOptions, plainStatement, type PlainTable } from './plain-statement.js';

/** The options of `translatePlain`: the table, the weights and limits as for `rank`, and the context. */
export interface PlainTranslateOptions extends TableOptions, PlainOptions, PlanOverrides, PipelineOptions {
  /** The columns of the table as its schema writes them: `id bigint, title string, rating double`. */
  readonly columns: string;
  /** The context of this request, as for `rank`. The statement contains its time and all its values. */
  readonly context?: Context;
}

/**
 * Writes a profile as one readable statement, for reviews and dashboards. It returns the selected rows with their rank,
 * score and the score of each scorer. The engine is not needed afterwards. Scores may differ from the engine's in the
 * last digits; `translate` gives a statement whose ranking is equal to the bit.
 *
 * ```ts
 * const sql = await translatePlain('./films.yaml', 'postgres', { table: 'films', orderBy: 'id', columns: 'id bigint, rating double precision', top: 10 });
 * ```
 *
 * @throws AssizeError if a part of the profile has no plain translation (ASZ571), if a column is unknown (ASZ569), and
 *   as `createPipeline` does
 */
export async function translatePlain(
  profile: ProfileSource,
  dialect: DialectName,
  { table, orderBy, columns, ...options }: PlainTranslateOptions,
): Promise<string> {
  const target = DIALECTS[dialect];
  const own: PlainTable = { from: tableName(target, table), columns: parseColumns(target, columns), orderBy };
  return translateTable(profile, dialect, own, options);
}

type TableOptionsOf = Omit<PlainTranslateOptions, keyof TableOptions | 'columns'>;

async function translateTable(
  profile: ProfileSource,
  dialect: DialectName,
  table: PlainTable,
  { partitionBy, exact, context = {}, top, minScore, offset, weights, seed, ...options }: TableOptionsOf,
): Promise<string> {
  const { compiled } = await openProfile(profile, options);
  const plan = overridePlan(compiled.plan, { top, minScore, offset, weights, seed });
  const run = await openStreamRun(plan, context, NEVER);
  return plainStatement(run, DIALECTS[dialect], table, { partitionBy, exact });
}

/** A plain statement over files, and how its ranking compares with the engine's. */
export interface PlainFiles {
  readonly sql: string;
  /** The number of rows that the statement returns. */
  readonly rows: number;
  /** The number of rows with the same id in the same place as in the engine's ranking. */
  readonly samePlace: number;
  /** The greatest difference between the scores of rows in the same place. */
  readonly greatestDifference: number;
}

/** The column of a row's position in the files. */
const INPUT_ROW = 'input_row';

const FUNCTIONS = { jsonl: 'read_json_auto', csv: 'read_csv_auto', tsv: 'read_csv_auto', parquet: 'read_parquet' };

/** Writes a plain statement for files in DuckDB, runs it, and compares its result with the engine's ranking. */
export async function translatePlainFiles(
  profile: ProfileSource,
  files: readonly string[],
  { orderBy, exact, ...options }: TableOptionsOf & { readonly orderBy?: string | undefined },
): Promise<PlainFiles> {
  const format = formatOf(files);
  const names = files.map((file) => duckdb.text(file)).join(', ');
  const rows = files.length === 1 ? names : `${FUNCTIONS[format]}([${names}])`;
  // Without a column to order by, rows of equal score keep the order of the files.
  const from = orderBy === undefined ? `(SELECT *, row_number() OVER () AS ${INPUT_ROW} FROM ${rows}) AS input` : rows;
  const instance = await openInstance({});
  try {
    const connection = await instance.connect();
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`).catch((error: unknown) => {
      return fail('ASZ567', `DuckDB cannot read the files: ${(error as Error).message}`);
    });
    const columns = described.getRowObjects().map((row) => {
      const type = String(row['column_type']);
      return { name: String(row['column_name']), type, kind: duckdb.kindOf(type) };
    });
    const sql = await translateTable(
      profile,
      'duckdb',
      { from, columns, orderBy: orderBy ?? INPUT_ROW },
      { ...options, exact },
    );
    const found = (await connection.runAndReadAll(sql)).getRowObjects();
    connection.closeSync();
    return { sql, ...(await compared(profile, files, found, options)) };
  } finally {
    instance.closeSync();
  }
}

/** Compares the rows of a statement with the engine's ranking of the same files. */
async function compared(
  profile: ProfileSource,
  files: readonly string[],
  found: readonly Readonly<Record<string, unknown>>[],
  { partitionBy, context = {}, top, minScore, offset, weights, seed, ...options }: Omit<TableOptionsOf, 'exact'>,
): Promise<Omit<PlainFiles, 'sql'>> {
  const pipeline = await createPipeline<object>(profile, options);
  const candidates: object[] = [];
  // oxlint-disable-next-line no-await-in-loop -- in the order of the files
  for (const file of files) for await (const chunk of readCandidateChunks(file, {})) candidates.push(...chunk);
  const groupOf = (row: object): string => (partitionBy === undefined ? '' : String(Reflect.get(row, partitionBy)));
  const own = grouped(candidates, groupOf);
  const theirs = grouped(found, groupOf);
  let samePlace = 0;
  let greatestDifference = 0;
  for (const [group, rows] of own) {
    // oxlint-disable-next-line no-await-in-loop -- one group in memory
    const { selected } = await pipeline.rank(rows, context, { top, minScore, offset, weights, seed });
    const returned = theirs.get(group) ?? [];
    for (const [k, { id, score }] of selected.entries()) {
      const row = returned[k];
      if (!row) continue;
      if (!('id' in row) || `${row['id'] as string | number | bigint}` === id) samePlace += 1;
      greatestDifference = Math.max(greatestDifference, Math.abs(Number(row['score']) - (score ?? 0)));
    }
  }
  return { rows: found.length, samePlace, greatestDifference };
}

function grouped<R>(rows: readonly R[], groupOf: (row: R) => string): ReadonlyMap<string, readonly R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const group = groupOf(row);
    const known = groups.get(group);
    if (known) known.push(row);
    else groups.set(group, [row]);
  }
  return groups;
}
