import { type Problem, toAssizeError, type TopRanking } from 'assize';
import { isMap } from 'assize/sdk';
import { encode } from './codec.js';
import { decodeOrThrow, type Job, JOB_FORMAT, notAJobError, type PartContent, partsOf, readPart } from './job.js';

/** The state of a merge: its merged parts, in the form of its kind, and the messages of failed parts. */
export interface MergeState {
  readonly merged: unknown;
  readonly failed: readonly (readonly [index: number, message: string])[];
}

/** How a merge ends. */
export interface EndOptions {
  /** Whether to skip lines that cannot be read. By default their problems are thrown. */
  readonly skipUnreadable?: boolean | undefined;
}

/** The number of missing parts that a message lists. */
const LISTED = 10;

/** Collects the parts of a job. Parts may arrive in any order and more than once. */
export abstract class PartCollection {
  protected readonly failed: Map<number, string>;

  protected constructor(
    protected readonly job: Job,
    failed?: MergeState['failed'],
  ) {
    this.failed = new Map(failed);
  }

  /**
   * Adds a part.
   *
   * @param part the result of `partial`, here or on another machine
   * @returns false if the part was added before; then nothing changes
   * @throws AssizeError if the text is not a part (ASZ575), or not this part of this job (ASZ578)
   */
  take(index: number, part: string): boolean {
    const content = readPart(this.job, index, part);
    if (this.has(index)) return false;
    if ('failed' in content) this.failed.set(index, content.failed);
    else this.add(index, content);
    return true;
  }

  /** Whether a part was added, successful or failed. */
  has(index: number): boolean {
    return this.hasDone(index) || this.failed.has(index);
  }

  /** The parts that were not added. */
  get missing(): readonly number[] {
    return Array.from({ length: partsOf(this.job) }, (_, index) => index).filter((index) => !this.has(index));
  }

  /** The parts that were added as failed, and that the end of the merge has not repeated. */
  get failedParts(): readonly number[] {
    return [...this.failed.keys()];
  }

  protected abstract add(index: number, content: Exclude<PartContent, { readonly failed: string }>): void;
  protected abstract hasDone(index: number): boolean;
}

/**
 * Merges the parts of a job. Parts may arrive in any order and more than once. The result equals, to the bit, the ranking
 * of one machine.
 */
export abstract class Merge extends PartCollection {
  /** The added parts as a text for `merge` of an open job, on this machine or another, now or later. */
  get state(): string {
    const state: MergeState = { merged: this.merged, failed: [...this.failed] };
    return encode({ format: JOB_FORMAT, job: this.job.id, ...state });
  }

  /**
   * Ranks all parts. Repeats failed parts here: if one fails again, the error has the candidate's position in the input,
   * as on one machine.
   *
   * @throws AssizeError if parts are missing (ASZ579), a line cannot be read (ASZ103), a part fails, its scores differ from
   *   the ones computed here (ASZ576), or its vectors are missing (ASZ586)
   */
  abstract end(options?: EndOptions): Promise<TopRanking<object>>;

  /** The problems of lines that cannot be read in the added parts, each with its place in the input. */
  abstract unreadable(): Promise<readonly Problem[]>;

  /** Plain data. */
  protected abstract get merged(): unknown;

  protected checkComplete(): void {
    const { missing } = this;
    if (missing.length === 0) return;
    const listed = missing.slice(0, LISTED).join(', ') + (missing.length > LISTED ? ' …' : '');
    const message = `${missing.length} of ${partsOf(this.job)} parts are missing: ${listed}`;
    throw toAssizeError([
      { code: 'ASZ579', message, hint: 'compute them with partial, and pass them to take of the merge' },
    ]);
  }
}

/** Reads the text that `state` of a merge wrote. */
export function readMergeState(job: Job, text: string): MergeState {
  const { format, job: of, merged, failed } = decodeOrThrow(text, 'part');
  if (format !== JOB_FORMAT || !isMap(merged) || !Array.isArray(failed)) {
    throw notAJobError('part', 'it is not the state of a merge');
  }
  if (of === job.id) return { merged, failed };
  throw toAssizeError([{ code: 'ASZ578', message: `the state belongs to job ${String(of)}; expected job ${job.id}` }]);
}
