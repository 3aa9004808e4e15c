import { AssizeError, checkOptions, FUNCTION, ANYTHING, STRING, toAssizeError, toError } from '../diagnostics/index.js';
import type { Progress } from '../index.js';
import { yieldToEventLoop } from '../stream/chunks.js';
import { NEVER } from '../engine/index.js';
import { type RankPart, RunParts } from '../workers/index.js';
import { openInput } from './create-job.js';
import { checkFingerprint, fingerprintOf } from './fingerprint.js';
import type { ByteInput } from './input/byte-input.js';
import { checkInput, readKnownLines } from './input/shard-lines.js';
import { type Job, partsOf, shardOf } from './job.js';
import { Merge, readMergeState } from './merge.js';
import { checkIndex, partText } from './part.js';

/** What a machine gives a job. */
export interface OpenJobOptions {
  /** What relative paths of the profile and of the input start from; the working directory when not given. */
  readonly folder?: string | undefined;
  /** The job's input, where it is not read by the name that the job has for it. */
  readonly input?: ByteInput | undefined;
  /** As for `createPipeline`. */
  readonly progress?: Progress | undefined;
}

/** How many candidates are evaluated before others have their turn: a lock is renewed, a message read. */
const CHUNK_SIZE = 256;

/** A job on a machine that computes what it asks for: it ranks parts, and merges those of all. */
export class OpenJob {
  constructor(
    readonly job: Job,
    private readonly run: RunParts,
    private readonly input: ByteInput | undefined,
  ) {}

  /** How many parts the job has, numbered from 0 on. */
  get parts(): number {
    return partsOf(this.job);
  }

  /**
   * Ranks a part. A line that cannot be read is left out, and reported by the merge.
   *
   * @param index its position, from 0 on
   * @param rows  its candidates, where the job does not say where they are
   * @returns a line of text, for `take` of a merge
   * @throws AssizeError where the input is not what it was (ASZ577), and as `rank` does: positions then count from the
   *   part's first candidate
   */
  async partial(index: number, rows?: readonly object[]): Promise<string> {
    checkIndex(this.job, index);
    try {
      return partText(this.job, index, { ranked: await this.#rank(index, 0, rows) });
    } catch (error) {
      throw withinPart(this.job, index, error);
    }
  }

  /** The text of a part that failed: the merge evaluates it again. */
  failedPart(index: number, error: unknown): string {
    checkIndex(this.job, index);
    return partText(this.job, index, { failed: toError(error).message });
  }

  /**
   * Merges parts.
   *
   * @param state what `state` of an earlier merge gave
   */
  merge(state?: string): Merge {
    const retry = (index: number, before: number): Promise<RankPart> => this.#rank(index, before);
    return new Merge(
      this.job,
      this.run,
      this.input,
      retry,
      state === undefined ? undefined : readMergeState(this.job, state),
    );
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
        { code: 'ASZ578', message: `part ${index} is read from ${of.name}, and candidates were given` },
      ]);
    return this.run.rankLines(await readKnownLines(this.input, of, index), options);
  }
}

/**
 * Opens a job on this machine: compiles its profile, and checks that it is the same, that its plugins, Assize and Node are,
 * and that the input has the size and version that it had.
 *
 * @throws AssizeError with everything that differs (ASZ576, ASZ577), and with every problem of the profile
 */
export async function openJob(job: Job, options: OpenJobOptions = {}): Promise<OpenJob> {
  checkOptions('openJob', options, { folder: STRING, input: ANYTHING, progress: FUNCTION });
  const { folder, input, progress } = options;
  checkFingerprint(await fingerprintOf(job.profile, folder), job.fingerprint);
  const host = { codegen: job.codegen, ...(folder !== undefined && { folder }), ...(progress && { progress }) };
  const run = await RunParts.open(job.profile, host, job.run, job.budget);
  if (job.input.kind === 'rows') return new OpenJob(job, run, undefined);
  const opened = input ?? (await openInput(job.input.name, folder));
  checkInput(opened, job.input);
  return new OpenJob(job, run, opened);
}

/** An error with the part that it is in. */
function withinPart(job: Job, index: number, error: unknown): unknown {
  if (!(error instanceof AssizeError) || job.input.kind === 'rows') return error;
  const { from, to } = shardOf(job.input, index);
  const where = `in part ${index}, from byte ${from} to byte ${to} of ${job.input.name}; positions count from there`;
  return toAssizeError(
    error.problems.map((problem) => ({
      ...problem,
      hint: problem.hint === undefined ? where : `${problem.hint}; ${where}`,
    })),
    { cause: error },
  );
}
