import { resolve } from 'node:path';
import type { Context } from '../contract/index.js';
import type { Problem } from '../diagnostics/problem.js';
import type { Degraded } from '../engine/failures.js';
import { NEVER } from '../engine/limits.js';
import type { InputFormat } from '../input/index.js';
import { detectFileFormat } from '../input/read-candidates.js';
import { UnseenPaths } from '../ranking/warnings/absent-paths.js';
import type { Progress } from '../services/index.js';
import { openStreamRun, type StreamRun } from '../stream/stream-run.js';
import { planSharding } from './plan-sharding.js';
import { type ReloadableProfile, SHARD_BYTES } from './rank-file.js';
import { readFirstCandidates, unreadableLinesError } from './rank-in-workers.js';
import { runSharded, type ShardingOptions } from './run-sharded.js';
import { fillIndexes, type ScoreShardResult, scoreShard } from './score-shard.js';
import type { Shard } from './shards.js';

/** How many parts may be begun for each thread before the rows of the first are taken: so much text is held. */
const SCORE_SHARDS_AHEAD = 4;

/** The scores of a file as text, to be read once, and what is known of it so far. */
export class ScoredFile implements AsyncIterable<string> {
  readonly #unseen: UnseenPaths;

  constructor(
    private readonly run: StreamRun,
    private readonly how: ShardingOptions,
    private readonly candidates: boolean,
  ) {
    this.#unseen = new UnseenPaths(run.plan.profile);
  }

  /** Some rows at a time, each a line: `rowJson` of them, in the order of the file. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void> {
    const { run, how, candidates } = this;
    const { file } = how.job;
    const task = ({ from, to }: Shard) => ({ from, to, candidates });
    let given = 0;
    let wrong = false;
    const outcomes = runSharded<ScoreShardResult>(how, SCORE_SHARDS_AHEAD, {
      taskFor: (part) => ({ kind: 'score', ...task(part) }),
      runHere: (part, breathe) => scoreShard(run, file, task(part), 0, breathe),
      retry: (part) => scoreShard(run, file, task(part), given),
    });
    for await (const { text, unseen, failures, ...outcome } of outcomes) {
      wrong ||= outcome.unreadable;
      // A file of another kind: its first lines say so, and more of it says no more.
      if (wrong && given + outcome.given === 0) break;
      this.#unseen.merge(unseen);
      run.failures.addAll(failures);
      if (text !== '') yield fillIndexes(text, given);
      given += outcome.given;
    }
    if (this.#unseen.unseen.length > 0) this.#unseen.addSample(await readFirstCandidates(file).catch(() => []));
    if (wrong) throw await unreadableLinesError(file);
  }

  /** What failed so far without failing the run. */
  get degraded(): readonly Degraded[] {
    return this.run.failures.list();
  }

  /** Fields that the profile reads and that no candidate had so far. */
  get warnings(): readonly Problem[] {
    return this.#unseen.warnings();
  }
}

/** What scoring a file may be told. */
interface ScoreFileOptions {
  readonly context: Context;
  readonly workers: number;
  readonly input?: InputFormat | undefined;
  /** Whether each row has its candidate. */
  readonly candidates: boolean;
  readonly progress?: Progress | undefined;
}

/**
 * Scores the candidates of a file in several threads, by a profile whose entries judge each alone.
 *
 * @returns why one thread does it, where they cannot share it; nothing where that is not worth a word
 */
export async function scoreFileWith(
  { compiled: { plan }, profile }: ReloadableProfile,
  file: string,
  { context, workers, input, candidates, progress }: ScoreFileOptions,
  shard = SHARD_BYTES,
): Promise<ScoredFile | { readonly because: string | undefined }> {
  const format = input ?? (await detectFileFormat(file));
  const run = (): Promise<StreamRun> => openStreamRun(plan, context, NEVER);
  const sharing = await planSharding({ profile, folder: resolve('.'), run, file, format, workers, shard, options: {} });
  if (!sharing.job) return sharing;
  return new ScoredFile(sharing.run, { ...sharing, abort: NEVER, progress }, candidates);
}
