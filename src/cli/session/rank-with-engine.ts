import type { CallBudget } from '../../engine/index.js';
import type { GroupBatch, PartitionContext, TopRanking } from '../../pipeline/index.js';
import {
  duckDbEngine,
  type GroupRanking,
  postgresServer,
  type SqlEngine,
  rankCompiledGroups,
  rankCompiledWith,
} from '../../scale/sql/index.js';
import { type OverrideOptions, overridesOf } from '../options.js';
import type { Io } from '../terminal/io.js';
import { usageError } from '../terminal/problems.js';
import { type CliSession, locateContextProblems, warnOfNoCandidates } from './session.js';

/** The options of an engine. */
export interface EngineOptions {
  readonly engine?: string;
  readonly table?: string;
  readonly orderBy?: string;
}

interface RankWithEngineOptions extends EngineOptions, OverrideOptions {
  readonly budget?: CallBudget;
}

/** Opens the engine that `--engine` names. */
async function openEngine(
  files: readonly string[],
  { engine = '', table, orderBy }: EngineOptions,
): Promise<SqlEngine> {
  if (engine === 'duckdb') {
    if (table !== undefined || orderBy !== undefined)
      throw usageError('--table and --order-by need a server', '--engine postgres://…');
    if (files.length === 0)
      throw usageError('--engine duckdb needs a file', 'assize rank -p PROFILE --engine duckdb FILE…');
    return duckDbEngine(files);
  }
  if (files.length > 0)
    throw usageError(`a server reads a table, not the file ${files[0]}`, '--engine duckdb reads files');
  if (table === undefined || orderBy === undefined) {
    throw usageError(
      '--engine postgres://… needs --table and --order-by',
      '--table films --order-by id: a column with unique values',
    );
  }
  return postgresServer(engine, { table, orderBy });
}

/** Ranks with a database: one statement, then the remaining rows in this process. */
export async function rankWithEngine(
  { compiled, context }: CliSession,
  files: readonly string[],
  { budget, ...options }: RankWithEngineOptions,
  io: Io,
): Promise<TopRanking<object>> {
  const engine = await openEngine(files, options);
  try {
    const { progress } = io;
    const ranking = await rankCompiledWith(engine, compiled, {
      context,
      budget,
      ...overridesOf(options),
      ...(progress && { progress }),
    });
    warnOfNoCandidates(ranking, { files, table: options.table }, io);
    return ranking;
  } catch (error) {
    throw locateContextProblems(context, error);
  } finally {
    await engine.close();
  }
}

interface GroupsWithEngineOptions extends RankWithEngineOptions {
  readonly partitionBy: string;
  readonly all?: true;
  /** The number of groups to rank one by one before others are ranked together. */
  readonly single?: number | undefined;
}

/** Ranks each group with a database. A line on standard error says what this process must do instead. */
export async function* rankGroupsWithEngine(
  { compiled, context }: CliSession,
  files: readonly string[],
  contextOf: PartitionContext<object> | undefined,
  { budget, partitionBy, all, single, ...options }: GroupsWithEngineOptions,
  io: Io,
): AsyncGenerator<GroupRanking | GroupBatch, void> {
  const engine = await openEngine(files, options);
  try {
    yield* rankCompiledGroups(engine, compiled, {
      by: partitionBy,
      context: contextOf ?? context,
      reason: all && '--all writes every row',
      single,
      budget,
      ...overridesOf(options),
      notice: (text) => io.err.write(`${text}\n`),
      ...(io.progress && { progress: io.progress }),
    });
  } finally {
    await engine.close();
  }
}
