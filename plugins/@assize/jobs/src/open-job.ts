import { AssizeError, type PipelineOptions, type Progress, toAssizeError } from 'assize';
import { checkOptions, toError } from 'assize/internal';
import { openInput } from './create-job.js';
import { type GroupJob, isGroupJob } from './group-job.js';
import type { GroupCollection, GroupWork } from './group-work.js';
import {
  checkFingerprint,
  checkIndex,
  fingerprintOf,
  type Job,
  notAJobError,
  partsOf,
  partText,
  progressText,
  readProgress,
  shardOf,
} from './job.js';
import { type ByteInput, checkInput, shownName } from './job-input.js';
import { type Merge, readMergeState } from './merge.js';
import { type JobWork, type PartWork, RankWork } from './rank-work.js';
import { VectorFolder } from './vector-folder.js';

/** The options of `openJob`. */
export interface OpenJobOptions {
  /** The base of relative paths of the profile and the input. Defaults to the working directory. */
  readonly folder?: string | undefined;
  /** The job's input. By default it is opened by the name in the job. */
  readonly input?: ByteInput | undefined;
  /**
   * The folder for the vectors of texts, which all machines of the job share. Defaults to a folder next to the input, such
   * as `many.jsonl.vectors`.
   */
  readonly vectors?: string | undefined;
  /** As for `createPipeline`. */
  readonly progress?: Progress | undefined;
}

/**
 * An attempt at a part. If an entry calls code, such as a model, an attempt reports its progress, so that the next one
 * does not evaluate the same candidates again.
 */
export interface PartAttempt {
  /** The last text of `onProgress` of an earlier attempt. A text of another part has no effect. */
  readonly progress?: string | undefined;
  /** Called after every 32 candidates. `text` returns the progress as one line. */
  readonly onProgress?: ((text: () => string) => Promise<void> | void) | undefined;
}

/** A job that this machine has opened to compute parts. */
export class OpenParts {
  constructor(
    readonly job: Job,
    private readonly partWork: PartWork,
  ) {}

  /** The number of parts of the job. Parts are numbered from 0. */
  get parts(): number {
    return partsOf(this.job);
  }

  /**
   * Ranks a part or its groups, or embeds its texts. Skips lines that cannot be read; the merge reports them.
   *
   * @param index   its position, starting at 0
   * @param rows    its candidates, if the job's input is `rows`
   * @param attempt the progress of an earlier attempt, and where this one reports its own
   * @returns a line of text, for `take` of a merge
   * @throws AssizeError if the input has changed (ASZ577), vectors cannot be written (ASZ586), and as `rank` does; positions
   *   then count from the part's first candidate
   */
  async partial(index: number, rows?: readonly object[], attempt: PartAttempt = {}): Promise<string> {
    const { job } = this;
    checkIndex(job, index);
    const { progress, onProgress } = attempt;
    try {
      const content = await this.partWork.partial(index, rows, {
        progress: progress === undefined ? undefined : readProgress(job, index, progress),
        onProgress: onProgress && ((reached) => onProgress(() => progressText(job, index, reached))),
      });
      return partText(job, index, content);
    } catch (error) {
      throw withinPart(this.job, index, error);
    }
  }

  /** The text of a failed part. The merge repeats the part. */
  failedPart(index: number, error: unknown): string {
    checkIndex(this.job, index);
    return partText(this.job, index, { failed: toError(error).message });
  }
}

/** A job that this machine has opened: it computes parts and merges them. */
export class OpenJob extends OpenParts {
  constructor(
    job: Job,
    private readonly work: JobWork,
  ) {
    super(job, work);
  }

  /**
   * Merges parts.
   *
   * @param state the `state` of an earlier merge
   */
  merge(state?: string): Merge {
    return this.work.merge(state === undefined ? undefined : readMergeState(this.job, state));
  }
}

/**
 * Opens a job on this machine. Compiles its profile, and checks that the profile, its plugins, Assize, Node and the size
 * and version of the input are those of the job.
 *
 * @throws AssizeError with every difference (ASZ576, ASZ577), with every problem of the profile, or if there is no folder
 *   for vectors (ASZ587)
 */
export async function openJob(job: Job, options: OpenJobOptions = {}): Promise<OpenJob> {
  if (job.work === 'groups') throw notAJobError('job', 'it ranks groups, which only a queue does');
  const { host, input } = await openHere(job, options);
  const { input: of } = job;
  if (of.kind === 'rows' || !input) return new OpenJob(job, await RankWork.open(job, host, undefined));
  if (job.work === 'rank') return new OpenJob(job, await RankWork.open(job, host, input));
  const { EmbedWork } = await import('./embed-work.js');
  const kept = new VectorFolder(options.vectors ?? input.vectors ?? noPlace(of.name));
  return new OpenJob(job, await EmbedWork.open(job, host, input, of, kept));
}

/** Opens a job of any kind to compute its parts, as `openJob` does. */
export const openParts = (job: Job, options: OpenJobOptions): Promise<OpenParts> =>
  isGroupJob(job) ? openGroupJob(job, options) : openJob(job, options);

/** A job of groups that this machine has opened. */
export class OpenGroupJob extends OpenParts {
  constructor(
    job: Job,
    private readonly work: GroupWork,
  ) {
    super(job, work);
  }

  collection(): GroupCollection {
    return this.work.collection();
  }
}

/** Opens a job of groups, as `openJob` does. */
export async function openGroupJob(job: GroupJob, options: OpenJobOptions): Promise<OpenGroupJob> {
  const { host, input } = await openHere(job, options);
  if (!input) throw notAJobError('job', 'groups need a file');
  const { GroupWork } = await import('./group-work.js');
  return new OpenGroupJob(job, await GroupWork.open(job, host, input));
}

/** The input of a job on this machine, and how its profile is compiled. Checks both. */
async function openHere(
  job: Job,
  options: OpenJobOptions,
): Promise<{ readonly host: PipelineOptions; readonly input: ByteInput | undefined }> {
  checkOptions('openJob', options, { folder: 'string', input: 'anything', vectors: 'string', progress: 'function' });
  const { folder, input, progress } = options;
  checkFingerprint(await fingerprintOf(job.profile, folder), job.fingerprint);
  const host = { codegen: job.codegen, ...(folder !== undefined && { folder }), ...(progress && { progress }) };
  const { input: of } = job;
  if (of.kind === 'rows') return { host, input: undefined };
  const opened = input ?? (await openInput(of.name, folder));
  checkInput(opened, of);
  return { host, input: opened };
}

function noPlace(name: string): never {
  const message = `the vectors of ${shownName(name)} cannot be stored next to it, because it is not a file of this machine`;
  const hint = 'pass a folder that all machines of the job share: vectors, or --vectors FOLDER';
  throw toAssizeError([{ code: 'ASZ587', message, hint }]);
}

/** Adds the part to an error. */
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
