import { isObject, type Problem, toAssizeError } from '../diagnostics/index.js';
import type { TopRanking } from '../index.js';
import { encode } from './codec.js';
import { decodeOrThrow, type Job, JOB_FORMAT, notAJobError, type PartContent, partsOf, readPart } from './job.js';

/** A merge as `state` writes it: what its parts come to, as its kind keeps it, and the messages of those that failed. */
export interface MergeState {
  readonly merged: unknown;
  readonly failed: readonly (readonly [index: number, message: string])[];
}

/** How a merge ends. */
export interface EndOptions {
  /** Whether lines that cannot be read are left out; else the first problem is thrown. */
  readonly skipUnreadable?: boolean | undefined;
}

/** How many missing parts a message lists. */
const LISTED = 10;

/**
 * Merges the parts of a job. Parts come in any order and as often as they like; each counts once. What they come to is
 * what one machine ranks, to the bit.
 */
export abstract class Merge {
  protected readonly failed: Map<number, string>;

  protected constructor(
    protected readonly job: Job,
    state: MergeState | undefined,
  ) {
    this.failed = new Map(state?.failed);
  }

  /**
   * Takes a part.
   *
   * @param part what `partial` gave, here or on another machine
   * @returns false where it was there already: then nothing changes
   * @throws AssizeError where it is no part (ASZ575), or not this one of this job (ASZ578)
   */
  take(index: number, part: string): boolean {
    const content = readPart(this.job, index, part);
    if (this.has(index)) return false;
    if ('failed' in content) this.failed.set(index, content.failed);
    else this.add(index, content);
    return true;
  }

  /** Whether a part is there, done or failed. */
  has(index: number): boolean {
    return this.hasDone(index) || this.failed.has(index);
  }

  /** The parts that have not come. */
  get missing(): readonly number[] {
    return Array.from({ length: partsOf(this.job) }, (_, index) => index).filter((index) => !this.has(index));
  }

  /** All that has been taken, as a text for `merge` of an open job: on this machine or another, now or later. */
  get state(): string {
    const state: MergeState = { merged: this.merged, failed: [...this.failed] };
    return encode({ format: JOB_FORMAT, job: this.job.id, ...state });
  }

  /**
   * The ranking, when all parts are there. What failed in a part is done again here: where it fails again, the error names
   * the candidate by its position in the input, as on one machine.
   *
   * @throws AssizeError where parts are missing (ASZ579), a line cannot be read (ASZ103), a part fails, its scores are
   *   not those that are computed here (ASZ576), or its vectors are not there (ASZ586)
   */
  abstract end(options?: EndOptions): Promise<TopRanking<object>>;

  /** What is wrong with the lines of the parts that are there, each with its place in the input. */
  abstract unreadable(): Promise<readonly Problem[]>;

  protected abstract add(index: number, content: Exclude<PartContent, { readonly failed: string }>): void;
  protected abstract hasDone(index: number): boolean;
  /** Plain data. */
  protected abstract get merged(): unknown;

  protected checkComplete(): void {
    const { missing } = this;
    if (missing.length === 0) return;
    const listed = missing.slice(0, LISTED).join(', ') + (missing.length > LISTED ? ' …' : '');
    const message = `${missing.length} of ${partsOf(this.job)} parts are missing: ${listed}`;
    throw toAssizeError([{ code: 'ASZ579', message, hint: 'compute them with partial, and let the merge take them' }]);
  }
}

/** Reads what `state` of a merge wrote. */
export function readMergeState(job: Job, text: string): MergeState {
  const { format, job: of, merged, failed } = decodeOrThrow(text, 'part');
  if (format !== JOB_FORMAT || !isObject(merged) || !Array.isArray(failed)) {
    throw notAJobError('part', 'it is no state of a merge');
  }
  if (of === job.id) return { merged, failed };
  throw toAssizeError([{ code: 'ASZ578', message: `the state is of job ${String(of)}, and not of job ${job.id}` }]);
}
