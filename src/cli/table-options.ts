import type { Command } from 'commander';
import { collect } from './options.js';
import { usageError } from './terminal/problems.js';

/** The options of `withGroups`. */
export interface GroupOptions {
  readonly partitionBy?: string;
  readonly queries?: string;
  readonly contextFrom?: readonly string[];
}

/** The option of `withGroup`. */
export interface OneGroupOptions extends GroupOptions {
  readonly group?: string;
}

/** The options of `withTable`. */
export interface TableOptions extends GroupOptions {
  readonly sort?: true;
  readonly output?: string;
  readonly all?: true;
  readonly replace?: true;
  readonly into?: string;
  readonly database?: string;
}

/** Adds the options that divide candidates into groups, each with its context. */
const withGroups = (command: Command): Command =>
  command
    .option('--partition-by <path>', 'rank each group on its own: the path to the group, such as query_id')
    .option('--queries <file>', 'the contexts of the groups: rows with an id and a context each')
    .option(
      '--context-from <path>',
      'copy this field of the first row of a group into its context: text, or query=text; may be repeated',
      collect,
    );

/** Adds the options of a verb that reads one group. */
export const withGroup = (command: Command): Command =>
  withGroups(command).option('--group <value>', 'with --partition-by: the group of the candidate');

const HELP = `
Tables:
  --partition-by ranks each group of adjacent rows on its own. Limits apply to
  each group. Its context is --context, then the fields of --context-from, then
  its row of --queries, in which id is the group.
  --output writes CSV, JSON Lines or Parquet with these columns: the group, id,
  index, rank, score, status, refused_by, reason, and for each scorer score_ID
  and contribution_ID. The file appears when it is complete, and after it
  FILE.manifest.json with the profile's digest, the options and the counts.
  --into writes the same table to a file of DuckDB, or to PostgreSQL with
  --database postgres://user@host/database.
  If rows are not grouped, DuckDB sorts them for a table if it is installed;
  with --sort, it sorts in any case.`;

/** Adds the options of a verb that writes a table of results. */
export const withTable = (command: Command): Command =>
  withGroups(command)
    .option('--sort', 'with --partition-by: sort the rows by the group first, with DuckDB')
    .option('-o, --output <file>', 'write the selected as a table: .parquet, .csv or .jsonl')
    .option('--all', 'with --output or --into: write every row, also refused ones')
    .option('--replace', 'replace an existing file or table')
    .option('--into <table>', 'write the table into --database')
    .option('--database <file>', 'a file of DuckDB, which is created if it is missing, or postgres://…')
    .addHelpText('after', HELP);

/**
 * Whether candidates are ranked in groups, or the results go to a table.
 *
 * @throws AssizeError (ASZ601) for an option that has no effect without another
 */
export function isForTable(options: TableOptions & { readonly format: string }): boolean {
  const { partitionBy, output, into, queries, contextFrom, sort, all, replace, database, format } = options;
  const isFile = output !== undefined || into !== undefined;
  const isTable = isFile || format === 'arrow';
  if (isFile && format === 'arrow')
    throw usageError('--format arrow writes the table to standard output', 'remove it, or --output and --into');
  const refuse = (given: Readonly<Record<string, unknown>>, needed: string, hint?: string): void => {
    const name = Object.keys(given).find((one) => given[one] !== undefined);
    if (name !== undefined) throw usageError(`${name} needs ${needed}`, hint);
  };
  if (partitionBy === undefined)
    refuse(
      { '--queries': queries, '--context-from': contextFrom, '--sort': sort },
      '--partition-by',
      '--partition-by query_id',
    );
  if (!isTable) refuse({ '--all': all }, '--output or --into');
  if (!isFile) refuse({ '--replace': replace, '--database': database }, '--output or --into');
  return isTable || partitionBy !== undefined;
}
