import { ANYTHING, AssizeError, checkOptions, FUNCTION, STRING, toAssizeError, toError } from '../diagnostics/index.js';
import type { Progress } from '../index.js';
import { openInput } from './create-job.js';
import { checkFingerprint, checkIndex, fingerprintOf, type Job, partsOf, partText, shardOf } from './job.js';
import { type ByteInput, checkInput, shownName } from './job-input.js';
import { type Merge, readMergeState } from './merge.js';
import { type JobWork, RankWork } from './rank-work.js';
import { VectorFolder } from './vector-folder.js';

/** What a machine gives a job. */
export interface OpenJobOptions {
  /** What relative paths of the profile and of the input start from; the working directory when not given. */
  readonly folder?: string | undefined;
  /** The job's input, where it is not read by the name that the job has for it. */
  readonly input?: ByteInput | undefined;
  /**
   * The folder of the vectors of texts, which all machines of the job share: beside the input when not given, as
   * `many.jsonl.vectors`.
   */
  readonly vectors?: string | undefined;
  /** As for `createPipeline`. */
  readonly progress?: Progress | undefined;
}

/** A job on a machine that computes what it asks for: its parts, and the merge of all. */
export class OpenJob {
  constructor(
    readonly job: Job,
    private readonly work: JobWork,
  ) {}

  /** How many parts the job has, numbered from 0 on. */
  get parts(): number {
    return partsOf(this.job);
  }

  /**
   * Ranks a part, or embeds its texts. A line that cannot be read is left out, and reported by the merge.
   *
   * @param index its position, from 0 on
   * @param rows  its candidates, where the job does not say where they are
   * @returns a line of text, for `take` of a merge
   * @throws AssizeError where the input is not what it was (ASZ577), vectors cannot be kept (ASZ586), and as `rank` does:
   *   positions then count from the part's first candidate
   */
  async partial(index: number, rows?: readonly object[]): Promise<string> {
    checkIndex(this.job, index);
    try {
      return partText(this.job, index, await this.work.partial(index, rows));
    } catch (error) {
      throw withinPart(this.job, index, error);
    }
  }

  /** The text of a part that failed: the merge does it again. */
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
    return this.work.merge(state === undefined ? undefined : readMergeState(this.job, state));
  }
}

/**
 * Opens a job on this machine: compiles its profile, and checks that it is the same, that its plugins, Assize and Node are,
 * and that the input has the size and version that it had.
 *
 * @throws AssizeError with everything that differs (ASZ576, ASZ577), with every problem of the profile, and where vectors
 *   have no place (ASZ587)
 */
export async function openJob(job: Job, options: OpenJobOptions = {}): Promise<OpenJob> {
  checkOptions('openJob', options, { folder: STRING, input: ANYTHING, vectors: STRING, progress: FUNCTION });
  const { folder, input, vectors, progress } = options;
  checkFingerprint(await fingerprintOf(job.profile, folder), job.fingerprint);
  const host = { codegen: job.codegen, ...(folder !== undefined && { folder }), ...(progress && { progress }) };
  const { input: of } = job;
  if (of.kind === 'rows') return new OpenJob(job, await RankWork.open(job, host, undefined));
  const opened = input ?? (await openInput(of.name, folder));
  checkInput(opened, of);
  if (job.work === 'rank') return new OpenJob(job, await RankWork.open(job, host, opened));
  const { EmbedWork } = await import('./embed-work.js');
  const kept = new VectorFolder(vectors ?? opened.vectors ?? noPlace(of.name));
  return new OpenJob(job, await EmbedWork.open(job, host, opened, of, kept));
}

function noPlace(name: string): never {
  const message = `the vectors of ${shownName(name)} have no place: it is no file of this machine`;
  const hint = 'vectors says which folder, that all machines of the job share: --vectors FOLDER';
  throw toAssizeError([{ code: 'ASZ587', message, hint }]);
}

/** An error with the part that it is in. */
function withinPart(job: Job, index: number, error: unknown): unknown {
  if (!(error instanceof AssizeError) || job.input.kind === 'rows') return error;
  const { from, to } = shardOf(job.input, index);
  const where = `in part ${index}, from byte ${from} to byte ${to} of ${shownName(job.input.name)}; positions count from there`;
  return toAssizeError(
    error.problems.map((problem) => ({
      ...problem,
      hint: problem.hint === undefined ? where : `${problem.hint}; ${where}`,
    })),
    { cause: error },
  );
}
