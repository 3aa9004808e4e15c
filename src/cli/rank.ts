import type { Command } from 'commander';
import type { CallBudget } from '../engine/index.js';
import type { RankingResult } from '../ranking/index.js';
import {
  budgetOption,
  type CandidateOptions,
  candidatesOption,
  formatOption,
  generateOption,
  offsetOption,
  type OverrideOptions,
  type SessionOptions,
  timed,
  timingsOption,
  type TimingsOptions,
  withInput,
  withLimits,
  withSession,
  workersOption,
  type WorkersOptions,
} from './options.js';
import { writeRankingJson } from './output/json.js';
import { writeRanking } from './output/ranking-table.js';
import { isForTable, type TableOptions, withTable } from './table-options.js';
import type { EngineOptions } from './session/rank-with-engine.js';
import type { CliSession } from './session/session.js';
import type { Io } from './terminal/io.js';
import { usageError, writeProblems } from './terminal/problems.js';

interface RankVerbOptions
  extends SessionOptions,
    CandidateOptions,
    OverrideOptions,
    WorkersOptions,
    EngineOptions,
    TableOptions,
    TimingsOptions {
  readonly open?: true;
  readonly budget?: CallBudget;
  readonly format: 'table' | 'json' | 'jsonl' | 'messages' | 'arrow';
  readonly candidates?: true;
}

const HELP = `\
Without a file and piped input, a profile with strategies generates its own
candidates, as with --generate.

Output:
  table   the selected, best first, with the weights and the rules that changed
          a score; counts of refused and not selected candidates
  json    one object: profile, labels, counts, weights, ranked, selected,
          notSelected, refused, pruned, report, degraded, warnings
  jsonl   a line for each of the selected: rank, id, index, score, candidate
  In both, a row has the parts of its score: scores, states, weights and
          contributions by scorer, combined and rules.
  messages  the selected messages as a list that the provider accepts
  arrow   the table of --output as an Arrow IPC stream, with numbers of groups
          as doubles; needs npm install apache-arrow
Failures that did not fail the run, and warnings, go to standard error, or into
the JSON.
If the profile has a top and no entry compares candidates, memory for a file
grows with the selection, not with the file. Duplicate ids are then reported
only among candidates that may be selected. --format json lists every candidate,
and standard input is read as a whole; input that does not fit into memory is
refused.
If --workers cannot share the work between threads, one thread does it, and a
line on standard error says why.

With --engine, a database filters and scores, and this process re-scores the
remaining rows; the result is the same. duckdb reads JSON Lines, CSV, TSV or
Parquet files; a server (postgres://user@host/database) reads a table. Parts
that SQL cannot express run in this process, and a line on standard error lists
them. With --partition-by, the rows of a group need not be adjacent.

Examples:
  assize rank --profile knowledgepulse traces.jsonl --top 10
  assize rank --profile ./movies.yaml --now 2011-01-01 movies.json
  assize rank --profile ./team.yaml --format jsonl < repos.jsonl | head -3
  assize rank -p ./team.yaml --weight popularity=1 --min-score 0.2 repos.json
  assize rank --profile ./team.yaml --top 2 --offset 2 repos.json
  assize rank --profile ./team.yaml --top 10 --workers 4 repos.jsonl
  assize rank --profile ./team.yaml --top 10 --engine duckdb repos.jsonl
  assize rank --profile ./team.yaml --weight popularity=1 repos.json --open
  assize rank -p ./team.yaml --output ranked.parquet --all repos.jsonl
  assize rank -p ./films.yaml --partition-by query -o best.csv candidates.jsonl`;

/** `assize rank`: ranks candidates. */
export function rank(command: Command, io: Io): void {
  withTable(withLimits(withInput(withSession(command))))
    .summary('rank candidates by a profile')
    .description('Ranks the candidates of a file or of standard input by a profile.')
    .addOption(offsetOption())
    .addOption(budgetOption())
    .addOption(formatOption('table', 'json', 'jsonl', 'messages', 'arrow'))
    .addOption(candidatesOption())
    .addOption(generateOption())
    .addOption(workersOption())
    .addOption(timingsOption())
    .addHelpText('after', HELP)
    .argument('[more...]', 'with --engine duckdb: more files, ranked together')
    .option('--open', 'show the ranking in the studio, in a browser if one is available')
    .option('--engine <engine>', 'the database: duckdb for files, postgres://… for a table')
    .option('--table <name>', 'with --engine postgres://…: the table of the candidates')
    .option('--order-by <column>', 'a column with unique values, which orders the rows')
    .action((file: string | undefined, more: readonly string[], options: RankVerbOptions) =>
      timed(options, io, () => run(file, more, options, io)),
    );
}

async function run(file: string | undefined, more: readonly string[], options: RankVerbOptions, io: Io): Promise<void> {
  const openStudio = options.open ? await io.loadStudio() : undefined;
  const { openCliSession, rankInput } = await import('./session/session.js');
  const session = await openCliSession('rank', options, io, file === undefined ? [] : [file, ...more]);
  if (openStudio) {
    const { rankInStudio } = await import('./session/rank-in-studio.js');
    return rankInStudio(session, file === undefined ? [] : [file, ...more], options, openStudio, io);
  }
  const { format, candidates, workers = 1 } = options;
  checkEngine(more, options);
  if (isForTable(options) || format === 'arrow') {
    checkTable(options);
    const { rankToTable } = await import('./session/rank-table.js');
    return rankToTable(session, file, { ...options, more }, () => rankTop(session, file, more, options, io), io);
  }
  if (format === 'json') {
    const ranking =
      options.engine === undefined
        ? await rankInput(session, file, options, io)
        : await rankTop(session, file, more, options, io);
    writeProblems(session.pipeline.warnings, io);
    if (workers > 1 && options.engine === undefined) io.err.write('one thread: --format json lists every candidate\n');
    return writeRankingJson(ranking, { candidates }, io.out);
  }
  const ranking = await rankTop(session, file, more, options, io);
  if (format !== 'messages') return writeRanking(session.pipeline, ranking, format, io);
  const { writeMessages } = await import('./output/message-list.js');
  return writeMessages(session.pipeline, ranking, io);
}

/** Checks the options of an engine, and that they are not used without one. */
function checkEngine(
  more: readonly string[],
  { engine, table, orderBy, generate, input, absent, workers, format }: RankVerbOptions,
): void {
  if (engine === undefined) {
    if (more.length > 0)
      throw usageError(`expected one file, found ${more.length + 1}`, '--engine duckdb ranks several files together');
    if (table !== undefined || orderBy !== undefined)
      throw usageError('--table and --order-by need --engine postgres://…');
    return;
  }
  if (engine === 'spark')
    throw usageError(
      '--engine: Spark runs the profile itself, not this command',
      'use the Python module: from assize_spark import rank; rank(df, "PROFILE", partition_by="COLUMN")',
    );
  if (engine !== 'duckdb' && !/^postgres(?:ql)?:\/\//.test(engine)) {
    const isPostgres = /^(postgres|postgresql|pg)\b/.test(engine);
    throw usageError(
      `--engine: expected duckdb or postgres://…, found ${JSON.stringify(engine)}`,
      isPostgres ? '--engine postgres://user@host/database --table films --order-by id' : undefined,
    );
  }
  if (absent)
    throw usageError('--absent cannot be combined with --engine', 'remove --engine: this process then reads the file');
  if (workers) throw usageError('--workers cannot be combined with --engine', 'remove --workers or --engine');
  const messages = format === 'messages' && '--format messages';
  const other = [generate && '--generate', input && '--input', messages].find(Boolean);
  if (other)
    throw usageError(
      `${other} cannot be combined with --engine`,
      'the rows stay in the database: use --format table or jsonl',
    );
}

/** Checks that rows which stay in a database or are shared by threads are not needed one by one. */
function checkTable({ partitionBy, all, sort, engine }: RankVerbOptions): void {
  if (engine !== undefined && partitionBy === undefined && all)
    throw usageError('--all cannot be combined with --engine', 'remove --engine: this process then reads every row');
  if (engine !== undefined && sort)
    throw usageError('--sort cannot be combined with --engine', 'remove --sort: the database groups the rows');
}

/** Computes only the best rows: with an engine, or in several threads with `--workers` if they can share the file. */
async function rankTop(
  session: CliSession,
  file: string | undefined,
  more: readonly string[],
  options: RankVerbOptions,
  io: Io,
): Promise<RankingResult<object>> {
  const { deferredScorers, rankInput, ranksColumnsOfDuckDb } = await import('./session/session.js');
  const { needsQuery } = await import('./session/message-query.js');
  const { engine, workers = 1 } = options;
  const files = file === undefined ? [] : [file, ...more];
  if (engine !== undefined && !(engine === 'duckdb' && ranksColumnsOfDuckDb(session, files, options))) {
    const { rankWithEngine } = await import('./session/rank-with-engine.js');
    return rankWithEngine(session, files, options, io);
  }
  const reason = singleThreadReason(file, options, deferredScorers(session, options));
  // Also with one thread: memory then grows with the selection, not with the file.
  if (
    file !== undefined &&
    reason === undefined &&
    !(await needsQuery(session.compiled.plan.profile, session.context, file, options))
  ) {
    const { rankByParts } = await import('./session/rank-by-parts.js');
    return rankByParts(session, file, { ...options, workers }, io);
  }
  const ranking = await rankInput(session, file, options, io);
  if (workers > 1) io.err.write(`one thread: ${reason ?? 'the last message of the file is the query'}\n`);
  return ranking;
}

/** Why one thread must do all the work, if that is known before the file is opened. */
function singleThreadReason(
  file: string | undefined,
  { generate, format }: RankVerbOptions,
  deferred: readonly string[],
): string | undefined {
  if (format === 'messages') return '--format messages reads the whole conversation';
  if (generate === true) return 'the candidates are generated, not read';
  if (file === undefined || file === '-') return 'standard input can only be read from its beginning';
  if (deferred.length === 0) return undefined;
  return `candidates that cannot be selected are pruned before ${deferred.join(', ')} runs`;
}
