import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { createCompiledProfile, PIPELINE_OPTIONS, type PipelineOptions } from '../container.js';
import type { Context } from '../contract/index.js';
import { ABORT_SIGNAL, ANYTHING, checkOptions, integerFrom, oneOf } from '../diagnostics/check-options.js';
import type { CompiledProfile } from '../engine/compiled-profile.js';
import { NEVER } from '../engine/limits.js';
import { INPUT_FORMATS, type InputFormat } from '../input/index.js';
import { detectFileFormat, readCandidateChunks, readCandidates } from '../input/read-candidates.js';
import { Pipeline } from '../pipeline.js';
import type { ProfileInput } from '../profile/schema/profile-schema.js';
import { unboundedProblems } from '../stream/memory-bound.js';
import { rankChunks, streamRequest } from '../stream/rank-chunks.js';
import type { RankStreamOptions } from '../stream/rank-stream.js';
import { openStreamRun, type StreamRun } from '../stream/stream-run.js';
import { topOfRanking } from '../stream/top-of-ranking.js';
import type { TopRanking } from '../stream/top-ranking.js';
import { planSharding } from './plan-sharding.js';
import { rankInWorkers } from './rank-in-workers.js';

/** What the ranking of a file may be told besides the profile and the file. */
export interface RankFileOptions extends RankStreamOptions, PipelineOptions {
  /** What is known about this request, as for `rank`. */
  readonly context?: Context;
  /**
   * How many threads share the work, this one among them; as many as there are cores when not said. It takes a breath
   * every thousand candidates.
   */
  readonly workers?: number | undefined;
  /** What the candidates are in; by the file's ending, else by how it begins, when not said. */
  readonly input?: InputFormat | undefined;
}

/**
 * Ranks the candidates of a file, and holds only those that may be selected: several threads read, judge and score
 * parts of it, each with a pipeline of its own. What comes of it is the same however many they are.
 *
 * ```ts
 * const { selected, counts } = await rankFile('knowledgepulse', 'traces.jsonl', { top: 10, workers: 4 });
 * ```
 *
 * Where they cannot share the work it is done in one thread, and `notices` says why: the file is not JSON Lines, or
 * units, services or a context are given in code. Where nothing bounds what is held, the candidates are ranked as one
 * set in memory: an entry needs them all, say.
 *
 * @param profile a preset's name, a path, or the profile itself, as for `createPipeline`
 * @param file    the candidates: JSON, JSON Lines, CSV or TSV
 * @throws AssizeError with every problem of the profile, or of the file; as `rank` does; and where a thread ends early
 */
export async function rankFile(
  profile: string | ProfileInput,
  file: string,
  options: RankFileOptions = {},
): Promise<TopRanking<object>> {
  checkOptions('rankFile', options, {
    ...PIPELINE_OPTIONS,
    context: ANYTHING,
    top: integerFrom(0),
    budget: ANYTHING,
    abort: ABORT_SIGNAL,
    workers: integerFrom(1),
    input: oneOf(INPUT_FORMATS),
  });
  return rankFileWith({ compiled: await createCompiledProfile(profile, options), profile }, file, options);
}

/** A profile that is loaded, and how another thread can load it. */
export interface ReloadableProfile {
  readonly compiled: CompiledProfile;
  readonly profile: string | ProfileInput;
}

/** Large enough to forget what a task costs, small enough for the last ones to end together. */
export const SHARD_BYTES = 1024 * 1024;

/**
 * The same by a profile that is loaded.
 *
 * @param shard how many bytes a part of the file has
 */
export async function rankFileWith(
  { compiled, profile }: ReloadableProfile,
  file: string,
  options: RankFileOptions,
  shard = SHARD_BYTES,
): Promise<TopRanking<object>> {
  const { context = {}, top, budget, abort = NEVER, input, progress, workers = availableParallelism() } = options;
  const { plan } = compiled;
  const [obstacle] = unboundedProblems(plan.profile, top);
  if (obstacle) {
    const why = `one thread, and all candidates in memory: ${obstacle.message}`;
    return rankInMemory(compiled, file, options, workers > 1 ? [why] : []);
  }
  const what = streamRequest(plan, top, budget);
  const run = await openStreamRun(plan, context, abort);
  const format = input ?? (await detectFileFormat(file));
  const folder = resolve(options.folder ?? '.');
  const opened = async (): Promise<StreamRun> => run;
  const sharing = await planSharding({ profile, folder, run: opened, file, format, workers, shard, options });
  if (sharing.job) return rankInWorkers(run, what, { ...sharing, abort, progress });
  const parts = readCandidateChunks(file, { progress }, format);
  return rankChunks(run, parts, what, sharing.because === undefined ? [] : [`one thread: ${sharing.because}`]);
}

async function rankInMemory(
  edition: CompiledProfile,
  file: string,
  { context, top, budget, abort = NEVER, input, progress }: RankFileOptions,
  notices: readonly string[],
): Promise<TopRanking<object>> {
  const candidates = await readCandidates(file, { progress }, input);
  const ranking = await new Pipeline<object>(edition).rank(candidates, context, { abort, budget });
  return topOfRanking(ranking, top, notices);
}
