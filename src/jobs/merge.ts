import { BOOLEAN, checkOptions, isObject, type Problem, toAssizeError } from '../diagnostics/index.js';
import type { TopRanking } from '../index.js';
import { RowProblems } from '../input/index.js';
import { readJsonLines } from '../input/json/json-lines.js';
import {
  firstCandidates,
  readRetained,
  type RankMerge,
  type RankMergeState,
  type RankPart,
  type RunParts,
} from '../workers/index.js';
import { encode } from './codec.js';
import { bytesOf, type ByteInput } from './input/byte-input.js';
import { knownLineReads, readLinesOf } from './input/shard-lines.js';
import { decodeOrThrow, type Job, JOB_FORMAT, notAJobError, partsOf } from './job.js';
import { readPart } from './part.js';

/** A merge as `state` writes it. */
export interface MergeState {
  readonly merged: RankMergeState;
  readonly failed: readonly (readonly [index: number, message: string])[];
}

/** How many missing parts a message lists. */
const LISTED = 10;

/**
 * Merges the parts of a job. Parts come in any order and as often as they like; each counts once. What they come to is
 * what one machine ranks, to the bit.
 */
export class Merge {
  readonly #merge: RankMerge;
  readonly #failed: Map<number, string>;

  /** @param retry ranks a part here, with the number of candidates before it */
  constructor(
    private readonly job: Job,
    private readonly run: RunParts,
    private readonly input: ByteInput | undefined,
    private readonly retry: (index: number, before: number) => Promise<RankPart>,
    state?: MergeState,
  ) {
    this.#merge = run.merge(state?.merged);
    this.#failed = new Map(state?.failed);
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
    if ('failed' in content) this.#failed.set(index, content.failed);
    else this.#merge.take(index, content.ranked);
    return true;
  }

  /** Whether a part is there, ranked or failed. */
  has(index: number): boolean {
    return this.#merge.has(index) || this.#failed.has(index);
  }

  /** The parts that have not come. */
  get missing(): readonly number[] {
    return Array.from({ length: partsOf(this.job) }, (_, index) => index).filter((index) => !this.has(index));
  }

  /** All that has been taken, as a text for `merge` of an open job: on this machine or another, now or later. */
  get state(): string {
    const state: MergeState = { merged: this.#merge.state, failed: [...this.#failed] };
    return encode({ format: JOB_FORMAT, job: this.job.id, ...state });
  }

  /**
   * The ranking, when all parts are there. A part that failed is ranked again here: where it fails again, the error names
   * the candidate by its position in the input, as on one machine.
   *
   * @throws AssizeError where parts are missing (ASZ579), a line cannot be read (ASZ103), a part fails, or its scores are
   *   not those that are computed here (ASZ576)
   */
  async end(options: { readonly skipUnreadable?: boolean | undefined } = {}): Promise<TopRanking<object>> {
    checkOptions('end', options, { skipUnreadable: BOOLEAN });
    this.#checkComplete();
    await this.#retryFailed();
    const unreadable = await this.unreadable();
    if (unreadable.length > 0 && options.skipUnreadable !== true) throw toAssizeError(unreadable);
    const rows = this.#merge.retained();
    const { input } = this.job;
    const reads = this.input && input.kind === 'bytes' ? knownLineReads(this.input, input) : () => Buffer.alloc(0);
    const candidates = await readRetained(reads, rows, input.kind === 'bytes' ? input.name : 'a part');
    const ranking = await this.run.rank(this.#merge, candidates, () => this.#firstCandidates());
    checkScores(ranking, new Map(rows.map(({ index, total }) => [index, total])));
    return ranking;
  }

  /** What is wrong with the lines of the parts that are there, each with its place in the input. */
  async unreadable(): Promise<readonly Problem[]> {
    const { input: of } = this.job;
    if (!this.input || of.kind === 'rows' || this.#merge.unreadable.length === 0) return [];
    const problems = new RowProblems();
    for (const { index, linesBefore } of this.#merge.unreadable) {
      // oxlint-disable-next-line no-await-in-loop -- in the order of the lines
      const { bytes } = await readLinesOf(this.input, of, index);
      // oxlint-disable-next-line no-await-in-loop -- only the problems count
      for await (const rows of readJsonLines([bytes], of.name, problems, linesBefore)) void rows;
    }
    return problems.all;
  }

  #checkComplete(): void {
    const { missing } = this;
    if (missing.length === 0) return;
    const listed = missing.slice(0, LISTED).join(', ') + (missing.length > LISTED ? ' …' : '');
    const message = `${missing.length} of ${partsOf(this.job)} parts are missing: ${listed}`;
    throw toAssizeError([{ code: 'ASZ579', message, hint: 'rank them with partial, and let the merge take them' }]);
  }

  async #retryFailed(): Promise<void> {
    for (const index of [...this.#failed.keys()].toSorted((a, b) => a - b)) {
      // oxlint-disable-next-line no-await-in-loop -- the number of candidates before it is known when those are ranked
      this.#merge.take(index, await this.retry(index, this.#merge.given));
      this.#failed.delete(index);
    }
  }

  /** The first candidates of the input, in which typos are searched: those of rows are in the parts. */
  async #firstCandidates(): Promise<readonly object[]> {
    if (!this.input) return [];
    return firstCandidates(bytesOf(this.input), this.input.name);
  }
}

/** Reads what `state` of a merge wrote. */
export function readMergeState(job: Job, text: string): MergeState {
  const { format, job: of, merged, failed } = decodeOrThrow(text, 'part');
  if (format !== JOB_FORMAT || !isObject(merged) || !Array.isArray(failed)) {
    throw notAJobError('part', 'it is no state of a merge');
  }
  if (of === job.id) return { merged, failed } as unknown as MergeState;
  throw toAssizeError([{ code: 'ASZ578', message: `the state is of job ${String(of)}, and not of job ${job.id}` }]);
}

/** @throws AssizeError (ASZ576) where a selected candidate has another score here than in its part */
function checkScores({ selected }: TopRanking<object>, totals: ReadonlyMap<number, number>): void {
  for (const { id, index, score } of selected) {
    const total = totals.get(index);
    if (score === undefined || total === undefined || Object.is(score, total)) continue;
    const message = `the score of ${id} is ${score} here, and ${total} where its part was ranked`;
    const hint = 'a unit depends on more than its profile: a model, a file, the time or chance';
    throw toAssizeError([{ code: 'ASZ576', message, hint }]);
  }
}
