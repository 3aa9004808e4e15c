import { type Command, Option } from 'commander';
import type { DialectName, PartNote, Translation } from '../scale/sql/index.js';
import {
  choiceOption,
  type ContextOptions,
  formatOption,
  type OverrideOptions,
  overridesOf,
  parseInteger,
  profileArgument,
  withContext,
  withLimits,
} from './options.js';
import { writeRanking } from './output/ranking-table.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/problems.js';

interface SqlVerbOptions extends ContextOptions, OverrideOptions {
  readonly dialect: DialectName;
  readonly table?: string;
  readonly orderBy?: string;
  readonly columns?: string;
  readonly promising?: number;
  readonly explain?: true;
  readonly plain?: true;
  readonly partitionBy?: string;
  readonly exact?: true;
  readonly finish?: string;
  readonly format: 'table' | 'jsonl';
}

const HELP = `
The statement filters rows and computes approximate scores in the database. It
returns the best rows, all rows within the rounding error of them, the counts, and
the rows that SQL cannot decide. Save its result as JSON Lines and pass it to
--finish, which computes the ranking, identical to that of \`assize rank\`. The
time, the context and the limits become part of the statement.

--columns declares the columns of the table, like a schema. --order-by names a
column with unique values, which orders candidates of equal score.

--plain prints one readable statement instead, for reviews and dashboards: it
returns the selected rows with rank, score and the score of each scorer, and
needs no --finish. Scores may differ in the last digits; with files, the greatest
difference to the engine is measured and printed.

Examples:
  assize sql ./team.yaml --dialect duckdb repos.jsonl --top 10
  assize sql ./team.yaml --dialect duckdb repos.jsonl --top 10 --plain
  assize sql ./team.yaml --dialect duckdb repos.jsonl --top 10 --explain`;

/** `assize sql`: prints a profile as a statement, or ranks the rows that a statement returned. */
export function sql(command: Command, io: Io): void {
  withLimits(withContext(command))
    .summary('print a profile as one SQL statement')
    .description('Translates a profile to SQL, or completes the ranking of the rows that the statement returned.')
    .addArgument(profileArgument())
    .argument('[files...]', 'with --dialect duckdb: files of JSON Lines, CSV, TSV or Parquet, in place of a table')
    .addOption(
      choiceOption('-d, --dialect <dialect>', 'the database', ['duckdb', 'postgres', 'spark']).makeOptionMandatory(),
    )
    .option('--table <name>', 'the table of the candidates')
    .option('--order-by <column>', 'the column that orders its rows')
    .option('--columns <columns>', 'the columns of the table and their types')
    .addOption(
      new Option(
        '--promising <number>',
        'the number of rows to return, if this process must run some scorers',
      ).argParser(parseInteger('--promising', 1)),
    )
    .option('--explain', 'show which parts SQL does, and which this process does and why')
    .option('--plain', 'print one readable statement, whose scores may differ in the last digits')
    .option('--partition-by <column>', 'with --plain: rank the rows of each value of this column on their own')
    .option('--exact', 'with --plain: fail if scores may differ from those of the engine')
    .option('--finish <file>', 'rank the rows that the statement returned, as JSON Lines')
    .addOption(formatOption('table', 'jsonl'))
    .addHelpText('after', HELP)
    .action((profile: string, files: readonly string[], options: SqlVerbOptions) => run(profile, files, options, io));
}

async function run(profile: string, files: readonly string[], options: SqlVerbOptions, io: Io): Promise<void> {
  if (options.plain) return printPlain(profile, files, options, io);
  if (options.partitionBy !== undefined || options.exact) throw usageError('--partition-by and --exact need --plain');
  const translation = await translationOf(profile, files, options);
  if (options.finish !== undefined) return finish(profile, files, translation, options.finish, options, io);
  io.out.write(options.explain === true ? explanation(translation.parts) : `${translation.sql}\n`);
}

async function translationOf(
  profile: string,
  files: readonly string[],
  { context: file, now, dialect, table, orderBy, columns, promising, ...options }: SqlVerbOptions,
): Promise<Translation> {
  const { readContext } = await import('./session/session.js');
  const { translate, translateRelation } = await import('../scale/sql/translate.js');
  const context = await readContext(file, now);
  const limits = { ...overridesOf(options), ...(promising !== undefined && { promising }) };
  if (files.length > 0) {
    checkFiles(dialect, table);
    const { duckDbEngine } = await import('../scale/sql/engines/duckdb.js');
    const engine = await duckDbEngine(files);
    try {
      return await translateRelation(profile, dialect, await engine.relation(), context, limits);
    } finally {
      await engine.close();
    }
  }
  if (table === undefined || orderBy === undefined || columns === undefined) throw noTable();
  return translate(profile, dialect, { table, orderBy, columns, context, ...limits });
}

async function printPlain(
  profile: string,
  files: readonly string[],
  {
    context: file,
    now,
    dialect,
    table,
    orderBy,
    columns,
    partitionBy,
    exact,
    explain,
    finish: rows,
    ...limits
  }: SqlVerbOptions,
  io: Io,
): Promise<void> {
  if (explain || rows !== undefined) throw usageError('--plain has neither --explain nor --finish');
  const { readContext } = await import('./session/session.js');
  const { translatePlain, translatePlainFiles } = await import('../scale/sql/plain/translate-plain.js');
  const options = { ...overridesOf(limits), context: await readContext(file, now), partitionBy, exact };
  if (files.length > 0) {
    checkFiles(dialect, table);
    const found = await translatePlainFiles(profile, files, { ...options, orderBy });
    const places = `${found.samePlace} of ${found.rows} rows are in the same place`;
    io.out.write(
      `-- Compared with the engine: ${places}; scores differ by ${found.greatestDifference} at most.\n${found.sql};\n`,
    );
    return;
  }
  if (table === undefined || orderBy === undefined || columns === undefined) throw noTable();
  io.out.write(`${await translatePlain(profile, dialect, { ...options, table, orderBy, columns })};\n`);
}

function checkFiles(dialect: DialectName, table: string | undefined): void {
  if (dialect !== 'duckdb' || table !== undefined) throw usageError('files need --dialect duckdb, without --table');
}

const noTable = (): Error =>
  usageError('a statement needs --table, --order-by and --columns', 'or give files with --dialect duckdb');

/** Where each part of the profile runs, a line each. */
function explanation(parts: readonly PartNote[]): string {
  const width = Math.max(...parts.map(({ part, id }) => part.length + id.length + 1));
  return parts
    .map(({ part, id, why }) => `${`${part} ${id}`.padEnd(width)}  ${why === undefined ? 'SQL' : `process: ${why}`}\n`)
    .join('');
}

async function finish(
  profile: string,
  files: readonly string[],
  translation: Translation,
  result: string,
  { table, format }: SqlVerbOptions,
  io: Io,
): Promise<void> {
  const { readCandidateFile } = await import('./session/session.js');
  const { warnOfNoCandidates } = await import('./session/session.js');
  const { createPipeline } = await import('../pipeline/create-pipeline.js');
  const rows = await readCandidateFile(result, io, { input: 'jsonl' });
  const ranking = await translation.finish(rows as readonly Readonly<Record<string, unknown>>[]);
  warnOfNoCandidates(ranking, { files, table }, io);
  writeRanking(await createPipeline(profile), ranking, format, io);
}
