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
  readonly finish?: string;
  readonly format: 'table' | 'jsonl';
}

const HELP = `
The statement refuses and scores approximately where the rows are. It gives the
best with all that is within rounding of them, the counts, and every row about
which SQL can promise nothing. Written as JSON Lines, --finish makes the ranking
of them, to the bit that of \`assize rank\`. The time, the context and the limits
become part of the statement.

--columns says what the table has, as a schema does; --order-by names a column
in which no value is there twice: what is first among equal scores.

Examples:
  assize sql ./team.yaml --dialect duckdb repos.jsonl --top 10
  assize sql ./team.yaml --dialect duckdb repos.jsonl --top 10 --explain`;

/** `assize sql`: prints a profile as a statement, or makes the ranking of what one gave. */
export function sql(command: Command, io: Io): void {
  withLimits(withContext(command))
    .summary('print a profile as one SQL statement')
    .description('Translates a profile to SQL, or finishes the ranking of what the statement gave.')
    .addArgument(profileArgument())
    .argument('[files...]', 'with --dialect duckdb: files of JSON Lines, CSV, TSV or Parquet, in place of a table')
    .addOption(
      choiceOption('-d, --dialect <dialect>', 'of the database', ['duckdb', 'postgres', 'spark']).makeOptionMandatory(),
    )
    .option('--table <name>', 'the table of the candidates')
    .option('--order-by <column>', 'the column that orders its rows')
    .option('--columns <columns>', 'the columns of the table and their types')
    .addOption(
      new Option('--promising <number>', 'of rows given, where scorers are left to the process').argParser(
        parseInteger('--promising', 1),
      ),
    )
    .option('--explain', 'say what SQL does, and what the process does and why')
    .option('--finish <file>', 'rank by the rows that the statement gave, as JSON Lines')
    .addOption(formatOption('table', 'jsonl'))
    .addHelpText('after', HELP)
    .action((profile: string, files: readonly string[], options: SqlVerbOptions) => run(profile, files, options, io));
}

async function run(profile: string, files: readonly string[], options: SqlVerbOptions, io: Io): Promise<void> {
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
    if (dialect !== 'duckdb' || table !== undefined)
      throw usageError('files are for --dialect duckdb, without --table');
    const { duckDbEngine } = await import('../scale/sql/engines/duckdb.js');
    const engine = await duckDbEngine(files);
    try {
      return await translateRelation(profile, dialect, await engine.relation(), context, limits);
    } finally {
      await engine.close();
    }
  }
  if (table === undefined || orderBy === undefined || columns === undefined) {
    throw usageError('a statement needs --table, --order-by and --columns', 'or files, with --dialect duckdb');
  }
  return translate(profile, dialect, { table, orderBy, columns, context, ...limits });
}

/** What each part of the profile became, a line each. */
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
