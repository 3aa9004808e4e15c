import { resolve } from 'node:path';
import type { Context } from '../contract/index.js';
import type { Problem } from '../diagnostics/problem.js';
import type { Degraded } from '../engine/failures.js';
import { NEVER } from '../engine/tasks.js';
import { overridePlan, type PlanOverrides, scoringPlan } from '../engine/call/override-plan.js';
import type { InputFormat } from '../input/index.js';
import { detectFileFormat } from '../input/read-candidates.js';
import { absentContextWarnings } from '../ranking/warnings/absent-context.js';
import { UnseenPaths } from '../ranking/warnings/absent-paths.js';
import type { Progress } from '../contract/progress.js';
import { openStreamRun, type StreamRun } from '../stream/stream-run.js';
import { type StreamCounts, traceRows } from '../stream/trace-stream.js';
import { SHARD_SIZES } from './cut-file.js';
import { planSharding, type ReloadableProfile } from './plan-sharding.js';
import { runSharded, type ShardingOptions } from './run-sharded.js';
import { fillIndexes, type ScoreShardResult, scoreShard } from './score-shard.js';
import type { Shard } from './shards.js';
import { readFirstCandidates, unreadableLinesError } from './versioned-file.js';

/** How many shards per thread may be ahead of the reader: the text of each is in memory. */
const SCORE_SHARDS_AHEAD = 4;

/** The scores of a file as text, to be read once. `degraded` and `warnings` are those of the rows read so far. */
export class ScoredFile implements AsyncIterable<string> {
  readonly #unseen: UnseenPaths;
  readonly #counts: StreamCounts;
  #scoredInFull = false;

  constructor(
    private readonly run: StreamRun,
    private readonly sharding: ShardingOptions,
    private readonly candidates: boolean,
  ) {
    this.#unseen = new UnseenPaths(run.plan.profile);
    this.#counts = { candidates: 0, refused: undefined, failures: run.failures };
  }

  /** The rows of one shard at a time, each a line as of `rowJson`, in the order of the file. */
  [Symbol.asyncIterator](): AsyncGenerator<string, void> {
    return traceRows(this.run.plan, 'scoreFile', this.#score(), this.#counts);
  }

  async *#score(): AsyncGenerator<string, void> {
    const { run, sharding, candidates } = this;
    const { file } = sharding.job;
    const taskOf = ({ from, to }: Shard) => ({ from, to, candidates });
    let given = 0;
    let unreadable = false;
    const results = runSharded<ScoreShardResult>(sharding, SCORE_SHARDS_AHEAD, {
      taskFor: (shard) => ({ kind: 'score', ...taskOf(shard) }),
      runHere: (shard, pause) => scoreShard(run, file, taskOf(shard), 0, pause),
      retry: (shard) => scoreShard(run, file, taskOf(shard), given),
    });
    for await (const { text, unseen, failures, ...result } of results) {
      unreadable ||= result.unreadable;
      if (unreadable && given + result.given === 0) break; // not JSON Lines at all
      this.#unseen.merge(unseen);
      this.#scoredInFull ||= result.scoredInFull;
      run.failures.addAll(failures);
      if (text !== '') yield fillIndexes(text, given);
      given += result.given;
      this.#counts.candidates = given;
    }
    if (this.#unseen.unseen.length > 0) this.#unseen.addSample(await readFirstCandidates(file).catch(() => []));
    if (unreadable) throw await unreadableLinesError(file);
  }

  /** The failures so far that did not fail the run. */
  get degraded(): readonly Degraded[] {
    return this.run.failures.list();
  }

  /** What the profile reads and no candidate so far has, or the context lacks: most probably typos. */
  get warnings(): readonly Problem[] {
    if (this.#counts.candidates === 0) return [];
    const { plan, start } = this.run;
    const absent = absentContextWarnings(plan.profile, start.context, () => !this.#scoredInFull);
    return [...this.#unseen.warnings(), ...absent];
  }
}

interface ScoreFileOptions extends Pick<PlanOverrides, 'weights'> {
  readonly context: Context;
  readonly workers: number;
  readonly input?: InputFormat | undefined;
  /** Whether each row has its candidate. */
  readonly candidates: boolean;
  readonly progress?: Progress | undefined;
}

/**
 * Scores the candidates of a file in several threads, by a profile whose entries score each alone.
 *
 * @returns the rows; where threads cannot share the file, the reason, undefined where it needs no notice
 */
export async function scoreFileWith(
  { compiled, ...source }: ReloadableProfile,
  file: string,
  { context, workers, input, candidates, progress, weights }: ScoreFileOptions,
  sizes = SHARD_SIZES,
): Promise<ScoredFile | { readonly reason: string | undefined }> {
  const plan = overridePlan(scoringPlan(compiled.plan), { weights });
  const format = input ?? (await detectFileFormat(file));
  const run = (): Promise<StreamRun> => openStreamRun(plan, context, NEVER);
  const folder = resolve('.');
  const sharding = await planSharding({
    ...source,
    folder,
    plan,
    run,
    file,
    format,
    work: 'scored',
    workers,
    sizes,
    options: { weights },
  });
  if (!sharding.job) return sharding;
  return new ScoredFile(sharding.run, { ...sharding, abort: NEVER, progress }, candidates);
}
