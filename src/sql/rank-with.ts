import { createCompiledProfile, PIPELINE_OPTIONS, type PipelineOptions } from '../container.js';
import type { Context } from '../contract/index.js';
import { ABORT_SIGNAL, ANYTHING, AssizeError, checkOptions, toError } from '../diagnostics/index.js';
import {
  budgetOf,
  type CompiledProfile,
  mergeOverrides,
  NEVER,
  OVERRIDE_OPTIONS,
  overridePlan,
} from '../engine/index.js';
import { Pipeline } from '../pipeline.js';
import type { ProfileSource } from '../profile/index.js';
import { rankChunks, type RankStreamOptions } from '../stream/rank-stream.js';
import { openStreamRun } from '../stream/stream-run.js';
import { type TopRanking, topOfRanking } from '../stream/top-ranking.js';
import type { SqlEngine } from './engines/engine.js';
import { retainedCount } from '../stream/memory-bound.js';
import { AbsentFields } from './statement/absent-fields.js';
import { findExtremes } from './extremes/find-extremes.js';
import { finishRows, firstPromising, GROWTH } from './finish/finish-rows.js';
import type { Relation } from './rows/relation.js';
import { obstacleOf, setReason } from './statement/set-reason.js';
import { type SieveRow, sortSieveRows } from './statement/sieve-rows.js';
import { idleReason, translateRun } from './statement/statement.js';

/** The options of `rankWith`. */
export interface RankWithOptions extends RankStreamOptions, PipelineOptions {
  /** What is known about this request, as for `rank`. */
  readonly context?: Context;
}

/**
 * Ranks the rows of a database, or of files: one statement refuses and scores approximately, and the process judges what
 * may be selected and what SQL can promise nothing about. Selection, ranks, scores and the counts of what was refused
 * are those of `rank` and `rankStream`, to the bit.
 *
 * ```ts
 * const engine = await duckDbEngine(['films.parquet']);
 * const { selected, counts } = await rankWith(engine, './films.yaml', { top: 10 });
 * ```
 *
 * What SQL cannot say, the process does: `notices` says so.
 *
 * @throws AssizeError as `rankStream` does, and as the engine does
 */
export async function rankWith(
  engine: SqlEngine,
  profile: ProfileSource,
  options: RankWithOptions = {},
): Promise<TopRanking<object>> {
  checkOptions('rankWith', options, {
    ...PIPELINE_OPTIONS,
    ...OVERRIDE_OPTIONS,
    context: ANYTHING,
    budget: ANYTHING,
    abort: ABORT_SIGNAL,
  });
  return rankCompiledWith(engine, await createCompiledProfile(profile, options), options);
}

/** `rankWith` with a compiled profile. */
export async function rankCompiledWith(
  engine: SqlEngine,
  compiled: CompiledProfile,
  options: RankWithOptions,
): Promise<TopRanking<object>> {
  const { context = {}, abort = NEVER, progress } = options;
  const { dialect } = engine;
  const plan = overridePlan(compiled.plan, options);
  const obstacle = obstacleOf(plan.profile);
  const relation = await engine.relation();
  if (obstacle !== undefined)
    return rankInMemory(engine, relation, compiled, options, `the process ranks all: ${obstacle}`);
  const budget = budgetOf(plan, options.budget);
  const run = await openStreamRun(plan, context, abort);
  const isSet = setReason(run.plan.profile) !== undefined;
  const prunes = run.plan.secondPhase?.how === 'prune';
  const inProcess = (why: string): Promise<TopRanking<object>> => {
    const notice = `the process judges every row${why}`;
    if (isSet || prunes) return rankInMemory(engine, relation, compiled, options, notice); // else its scorers would see every row
    return rankChunks(run, engine.candidates(relation, progress), budget, [notice]);
  };
  const ask = (sql: string): Promise<readonly SieveRow[]> => engine.sieve(sql, abort, progress);
  try {
    const extremes = isSet ? await findExtremes(run, dialect, relation, ask) : undefined;
    for (let promising = firstPromising(retainedCount(plan)); ; promising *= GROWTH) {
      const sieve = translateRun(run, dialect, relation, { promising, extremes: extremes?.numbers });
      // oxlint-disable-next-line no-await-in-loop -- more rows are wanted only where these are too few
      if (sieve.isIdle) return await inProcess(`: ${idleReason(sieve)}`);
      // oxlint-disable-next-line no-await-in-loop
      const result = sortSieveRows(await ask(sieve.sql));
      const absent = new AbsentFields(plan.profile, relation, { dialect, ask });
      // oxlint-disable-next-line no-await-in-loop
      const ranking = await finishRows(compiled, run, sieve, { relation, result, absent }, options, extremes);
      if (ranking) return ranking;
    }
  } catch (error) {
    abort.throwIfAborted();
    return inProcess(`, since ${reasonOf(engine, error)}`);
  }
}

const reasonOf = ({ dialect }: SqlEngine, error: unknown): string => {
  const [line] = toError(error).message.split('\n');
  return error instanceof AssizeError
    ? 'a row that it judges fails the run'
    : `the statement failed in ${dialect.name}: ${line}`;
};

async function rankInMemory(
  engine: SqlEngine,
  relation: Relation,
  compiled: CompiledProfile,
  { context = {}, budget, abort = NEVER, progress, ...options }: RankWithOptions,
  notice: string,
): Promise<TopRanking<object>> {
  const candidates: object[] = [];
  for await (const chunk of engine.candidates(relation, progress)) {
    abort.throwIfAborted();
    for (const candidate of chunk) candidates.push(candidate);
  }
  const ranking = await new Pipeline<object>(compiled).rank(candidates, context, {
    ...mergeOverrides({}, options),
    abort,
    budget,
  });
  return topOfRanking(ranking, [notice]);
}
