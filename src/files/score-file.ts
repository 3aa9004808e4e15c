import { resolve } from 'node:path';
import type { Context, Problem } from '../contract/index.js';
import type { RowFormat } from '../document/index.js';
import { openRun, type StreamRun } from '../pipeline/stream/stream-run.js';
import { UnseenPaths } from '../pipeline/warnings/absent-paths.js';
import type { Progress } from '../services/index.js';
import type { Degraded } from '../stages/failures.js';
import { NEVER } from '../stages/limits.js';
import { type Loaded, SHARD } from './rank-file.js';
import { firstOf, wrongLines } from './rank-in-threads.js';
import { formatOfFile } from './read-candidates.js';
import { placedText, type ScoredShard, scoreShard } from './score-shard.js';
import type { Shard } from './shards.js';
import { type How, shareOut } from './share-out.js';
import { openSharing } from './sharing.js';

/** How many parts may be begun for each thread before the rows of the first are taken: so much text is held. */
const AHEAD = 4;

/** The scores of a file as text, to be read once, and what is known of it so far. */
export class ScoredFile implements AsyncIterable<string> {
  readonly #unseen: UnseenPaths;

  constructor(
    private readonly run: StreamRun,
    private readonly how: How,
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
    const outcomes = shareOut<ScoredShard>(how, AHEAD, {
      task: (part) => ({ kind: 'score', ...task(part) }),
      here: (part, breathe) => scoreShard(run, file, task(part), 0, breathe),
      again: (part) => scoreShard(run, file, task(part), given),
    });
    for await (const { text, unseen, failures, ...outcome } of outcomes) {
      wrong ||= outcome.wrong;
      // A file of another kind: its first lines say so, and more of it says no more.
      if (wrong && given + outcome.given === 0) break;
      this.#unseen.meet(unseen);
      run.failures.addAll(failures);
      if (text !== '') yield placedText(text, given);
      given += outcome.given;
    }
    if (this.#unseen.unseen.length > 0) this.#unseen.sample(await firstOf(file).catch(() => []));
    if (wrong) throw await wrongLines(file);
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
  readonly input?: RowFormat | undefined;
  /** Whether each row has its candidate. */
  readonly candidates: boolean;
  readonly progress?: Progress | undefined;
}

/**
 * Scores the candidates of a file in several threads, by a profile whose entries judge each alone.
 *
 * @returns why one thread does it, where they cannot share it; nothing where that is not worth a word
 */
export async function scoreFileBy(
  { edition: { plan }, profile }: Loaded,
  file: string,
  { context, workers, input, candidates, progress }: ScoreFileOptions,
  shard = SHARD,
): Promise<ScoredFile | { readonly because: string | undefined }> {
  const format = input ?? (await formatOfFile(file));
  const run = (): Promise<StreamRun> => openRun(plan, context, NEVER);
  const sharing = await openSharing({ profile, folder: resolve('.'), run, file, format, workers, shard, options: {} });
  if (!sharing.job) return sharing;
  return new ScoredFile(sharing.run, { ...sharing, abort: NEVER, progress }, candidates);
}
