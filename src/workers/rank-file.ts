import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { createCompiledProfile, PIPELINE_OPTIONS, type PipelineOptions } from '../container.js';
import type { Context } from '../contract/index.js';
import { ABORT_SIGNAL, ANYTHING, checkOptions, integerFrom, oneOf } from '../diagnostics/check-options.js';
import type { CompiledProfile } from '../engine/compiled-profile.js';
import { NEVER } from '../engine/limits.js';
import { mergeOverrides, OVERRIDE_OPTIONS, overridePlan } from '../engine/override-plan.js';
import type { Budget } from '../engine/stages/select/types.js';
import { budgetOf } from '../engine/start-run.js';
import { isByColumn } from '../input/codecs.js';
import { INPUT_FORMATS, type InputFormat } from '../input/index.js';
import { detectFileFormat, readCandidateChunks, readCandidates } from '../input/read-candidates.js';
import { Pipeline } from '../pipeline.js';
import type { ProfileSource } from '../profile/source/profile-source.js';
import { retainedCount, unboundedProblems } from '../stream/memory-bound.js';
import { type RankStreamOptions, rankChunks } from '../stream/rank-stream.js';
import { rankTable } from '../stream/rank-table.js';
import { openStreamRun, type StreamRun } from '../stream/stream-run.js';
import { type TopRanking, topOfRanking } from '../stream/top-ranking.js';
import { planSharding, type ReloadableProfile, SHARD_BYTES } from './plan-sharding.js';
import { RankMerge } from './rank-merge.js';
import { type RankShardTask, rankShard } from './rank-shard.js';
import { readRetained } from './retained-rows.js';
import { runSharded, type ShardingOptions } from './run-sharded.js';
import type { Shard } from './shards.js';
import { readFirstCandidates, readUnchanged, unreadableLinesError } from './versioned-file.js';

/** How many shards per thread may be ahead of the merge: the result of one is small. */
const RANK_SHARDS_AHEAD = 64;

/** The options of `rankFile`. */
export interface RankFileOptions extends RankStreamOptions, PipelineOptions {
  /** What is known about this request, as for `rank`. */
  readonly context?: Context;
  /**
   * How many threads share the work, this one included; the number of cores by default. This thread lets its event loop
   * run every thousand candidates.
   */
  readonly workers?: number | undefined;
  /** The format of the file; by default that of its extension, else detected by its first characters. */
  readonly input?: InputFormat | undefined;
}

/**
 * Ranks the candidates of a file, and retains only those that may be selected: several threads read and score parts of
 * it, each with a pipeline of its own. The result does not depend on their number.
 *
 * ```ts
 * const { selected, counts } = await rankFile('knowledgepulse', 'traces.jsonl', { top: 10, workers: 4 });
 * ```
 *
 * Where threads cannot share the work, this one does all of it, and `notices` has the reason: the file is not JSON Lines, or
 * units, services or a context are given in code. Where retained rows are not bounded, because an entry needs all
 * candidates for example, the candidates are ranked as one set in memory.
 *
 * @param profile a preset's name, a path, or the profile itself, as for `createPipeline`
 * @param file    the candidates, in any format that files of candidates have
 * @throws AssizeError with every problem of the profile, or of the file; as `rank` does; and where a thread ends early
 */
export async function rankFile(
  profile: ProfileSource,
  file: string,
  options: RankFileOptions = {},
): Promise<TopRanking<object>> {
  checkOptions('rankFile', options, {
    ...PIPELINE_OPTIONS,
    ...OVERRIDE_OPTIONS,
    context: ANYTHING,
    budget: ANYTHING,
    abort: ABORT_SIGNAL,
    workers: integerFrom(1),
    input: oneOf(INPUT_FORMATS),
  });
  const compiled = await createCompiledProfile(profile, options);
  return rankFileWith({ compiled, profile, trust: options.trust ?? 'full' }, file, options);
}

/** `rankFile` with a compiled profile. */
export async function rankFileWith(
  { compiled, ...source }: ReloadableProfile,
  file: string,
  options: RankFileOptions,
  shardBytes = SHARD_BYTES,
): Promise<TopRanking<object>> {
  const { context = {}, abort = NEVER, input, progress, workers = availableParallelism() } = options;
  const plan = overridePlan(compiled.plan, options);
  const [obstacle] = unboundedProblems(plan.profile);
  if (obstacle) {
    const notice = `one thread, and all candidates in memory: ${obstacle.message}`;
    return rankInMemory(compiled, file, options, workers > 1 ? [notice] : []);
  }
  const budget = budgetOf(plan, options.budget);
  const run = await openStreamRun(plan, context, abort);
  const format = input ?? (await detectFileFormat(file));
  if (isByColumn(format)) return rankTableFile(run, file, format, workers, budget);
  const folder = resolve(options.folder ?? '.');
  const openRun = async (): Promise<StreamRun> => run;
  const sharding = await planSharding({ ...source, folder, run: openRun, file, format, workers, shardBytes, options });
  if (sharding.job) return rankSharded(run, budget, { ...sharding, abort, progress });
  const chunks = readCandidateChunks(file, { progress }, format);
  return rankChunks(run, chunks, budget, sharding.reason === undefined ? [] : [`one thread: ${sharding.reason}`]);
}

/** Ranks a file that is kept by column: one thread reads less of it than several would of its rows. */
async function rankTableFile(
  run: StreamRun,
  file: string,
  format: InputFormat,
  workers: number,
  budget: Budget | undefined,
): Promise<TopRanking<object>> {
  const { openTable } = await import('../input/table/open-table.js');
  const table = await openTable(file, format, workers);
  try {
    return await rankTable(run, table, budget);
  } finally {
    await table.close();
  }
}

async function rankInMemory(
  compiled: CompiledProfile,
  file: string,
  { context, budget, abort = NEVER, input, progress, ...options }: RankFileOptions,
  notices: readonly string[],
): Promise<TopRanking<object>> {
  const candidates = await readCandidates(file, { progress }, input);
  const ranking = await new Pipeline<object>(compiled).rank(candidates, context, {
    ...mergeOverrides({}, options),
    abort,
    budget,
  });
  return topOfRanking(ranking, notices);
}

/** Ranks a file of JSON Lines in several threads; this one merges their results, and reads the retained candidates. */
export async function rankSharded(
  run: StreamRun,
  budget: Budget | undefined,
  sharding: ShardingOptions,
): Promise<TopRanking<object>> {
  const { file } = sharding.job;
  const merge = new RankMerge(run);
  const count = retainedCount(run.plan);
  const taskOf = ({ from, to }: Shard): RankShardTask => {
    return { from, to, count, minCompetitiveScore: merge.minCompetitiveScore };
  };
  const results = runSharded(sharding, RANK_SHARDS_AHEAD, {
    taskFor: (shard) => ({ kind: 'rank', ...taskOf(shard) }),
    runHere: (shard, pause) => rankShard(run, file, taskOf(shard), 0, pause),
    retry: (shard) => rankShard(run, file, taskOf(shard), merge.given),
  });
  for await (const part of results) {
    if (part.unreadable) throw await unreadableLinesError(file);
    merge.take(merge.next, part);
  }
  const candidates = await readUnchanged(file, (read) => readRetained(read, merge.retained(), file.name));
  return merge.rank(candidates, () => readFirstCandidates(file), budget);
}
