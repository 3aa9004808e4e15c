import { toAssizeError } from '../diagnostics/index.js';
import type { PipelineOptions } from '../index.js';
import { yieldToEventLoop } from '../stream/chunks.js';
import { NEVER } from '../engine/index.js';
import { type RankPart, RunParts } from '../workers/index.js';
import { type ByteInput, shownName } from './input/byte-input.js';
import { readKnownLines } from './input/shard-lines.js';
import type { Job } from './job.js';
import type { Merge, MergeState } from './merge.js';
import type { PartContent } from './part.js';
import { RankingMerge } from './ranking-merge.js';

/** What a machine does for a job, by what its parts are. */
export interface JobWork {
  /** @param rows the candidates of the part, where the job does not say where they are */
  partial(index: number, rows: readonly object[] | undefined): Promise<PartContent>;
  merge(state: MergeState | undefined): Merge;
}

/** How many candidates are evaluated before others have their turn: a lock is renewed, a message read. */
const CHUNK_SIZE = 256;

/** Ranks parts: the profile scores each candidate alone. */
export class RankWork implements JobWork {
  private constructor(
    private readonly job: Job,
    private readonly run: RunParts,
    private readonly input: ByteInput | undefined,
  ) {}

  static async open(job: Job, host: PipelineOptions, input: ByteInput | undefined): Promise<RankWork> {
    return new RankWork(job, await RunParts.open(job.profile, host, job.run, job.budget), input);
  }

  async partial(index: number, rows: readonly object[] | undefined): Promise<PartContent> {
    return { ranked: await this.#rank(index, 0, rows) };
  }

  merge(state: MergeState | undefined): Merge {
    const retry = (index: number, before: number): Promise<RankPart> => this.#rank(index, before);
    return new RankingMerge(this.job, this.run, this.input, retry, state);
  }

  async #rank(index: number, before: number, rows?: readonly object[]): Promise<RankPart> {
    const { input: of } = this.job;
    const options = { before, skipUnreadable: true, chunkSize: CHUNK_SIZE, pause: () => yieldToEventLoop(NEVER) };
    if (of.kind === 'rows' || !this.input) {
      if (!rows)
        throw toAssizeError([
          { code: 'ASZ578', message: `part ${index} has no candidates: partial(${index}, rows) gives them` },
        ]);
      return this.run.rankRows(rows, options);
    }
    if (rows)
      throw toAssizeError([
        { code: 'ASZ578', message: `part ${index} is read from ${shownName(of.name)}, and candidates were given` },
      ]);
    return this.run.rankLines(await readKnownLines(this.input, of, index), options);
  }
}
