import { type Budget, Failures } from '../../engine/index.js';
import type { TextInput } from '../../data/node.js';
import { SAMPLE_SIZE } from '../../ranking/index.js';
import {
  retainedCount,
  type StreamRun,
  Collector,
  rankCollected,
  type ColumnSource,
  rankCollectedRows,
  type TopRanking,
} from '../../pipeline/index.js';
import type { RankPart } from './rank-part.js';
import { type LocatedRow, locatedRows, readRetained, toRetainedColumns } from './retained-rows.js';
import { firstCandidates, type ReadBytesAt } from './shard-lines.js';

/** A merged part that has lines which cannot be read. */
interface UnreadablePart {
  readonly index: number;
  /** The number of lines before the part. */
  readonly linesBefore: number;
}

/** The state of a merge, to resume it elsewhere or later. Plain data. */
export interface RankMergeState {
  /** The index of the first part that is not merged. */
  readonly next: number;
  /** The merged parts as one part. */
  readonly merged: RankPart;
  readonly unreadable: readonly UnreadablePart[];
  /** The parts that wait for an earlier part. */
  readonly waiting: readonly (readonly [index: number, part: RankPart])[];
}

/**
 * Merges the parts of a run. Parts may arrive in any order and more than once; the result does not depend on that. A part
 * waits until all earlier parts are merged. Memory holds the retained rows and the waiting parts.
 */
export class RankMerge {
  readonly #run: StreamRun;
  readonly #collector: Collector<LocatedRow>;
  readonly #waiting = new Map<number, RankPart>();
  readonly #unreadable: UnreadablePart[] = [];
  #sample: readonly object[] = [];
  #lines = 0;
  #next = 0;

  /** @param run not modified; its failures are those that happened before any part */
  constructor(
    run: StreamRun,
    private readonly budget: Budget | undefined,
    state?: RankMergeState,
  ) {
    const failures = new Failures();
    this.#run = { plan: run.plan, start: run.start, abort: run.abort, failures };
    this.#collector = new Collector<LocatedRow>(this.#run, retainedCount(run.plan));
    if (!state) {
      failures.addAll(run.failures.entries);
      return;
    }
    this.#add(state.merged);
    this.#next = state.next;
    this.#unreadable.push(...state.unreadable);
    for (const [index, part] of state.waiting) this.#waiting.set(index, part);
  }

  /** The number of merged parts: the index of the first part that is missing. */
  get next(): number {
    return this.#next;
  }

  /** The number of candidates of the merged parts. */
  get given(): number {
    return this.#collector.aggregates.given;
  }

  /** Rows of later parts with a lower score cannot be selected. */
  get minCompetitiveScore(): number {
    return this.#collector.topK.best.minCompetitiveScore;
  }

  /** The merged parts that have unreadable lines. */
  get unreadable(): readonly UnreadablePart[] {
    return this.#unreadable;
  }

  has(index: number): boolean {
    return index < this.#next || this.#waiting.has(index);
  }

  /**
   * Adds a part.
   *
   * @param index its position among the parts, starting at 0
   * @returns false if the part was added before; then nothing changes
   */
  take(index: number, part: RankPart): boolean {
    if (this.has(index)) return false;
    this.#waiting.set(index, part);
    for (let next = this.#waiting.get(this.#next); next; next = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      if (next.unreadable) this.#unreadable.push({ index: this.#next, linesBefore: this.#lines });
      this.#add(next);
      this.#next += 1;
    }
    return true;
  }

  get state(): RankMergeState {
    const { collected, topK } = this.#collector;
    const rows = topK.retained();
    const candidates = rows.flatMap(({ candidate }) => candidate ?? []);
    const retained = toRetainedColumns(rows, candidates.length > 0 ? [] : rows, candidates);
    const merged = { ...collected, lines: this.#lines, unreadable: false, retained, sample: this.#sample };
    return { next: this.#next, merged, unreadable: this.#unreadable, waiting: [...this.#waiting] };
  }

  /** The rows of the merged parts that may be selected, in the order of the candidates. */
  retained(): readonly LocatedRow[] {
    return this.#collector.topK.retained();
  }

  /**
   * Reads the candidates of the retained rows.
   *
   * @param name the input's name in problems
   * @throws AssizeError (ASZ101) if a line is no longer a candidate
   */
  candidates(read: ReadBytesAt, name: string): Promise<readonly object[]> {
    return readRetained(read, this.retained(), name);
  }

  /**
   * The ranking of the merged parts, within the budget of the run.
   *
   * @param candidates  the candidates of the retained rows
   * @param input       JSON Lines, read to its first candidates for hints about typos, if a path may be misspelled
   */
  async rank(candidates: readonly object[], input: () => TextInput): Promise<TopRanking<object>> {
    const { run, own } = this.#copy();
    if (own.unseen.unseen.length > 0) {
      own.unseen.addSample(this.#sample.length > 0 ? this.#sample : await firstCandidates(input()));
    }
    return rankCollected(run, own, candidates, this.budget, []);
  }

  /** Like `rank`, for parts of a table: reads the selected rows and the rows that messages name. */
  async rankRowsOf(source: ColumnSource): Promise<TopRanking<object>> {
    const { run, own } = this.#copy();
    return rankCollectedRows(run, own, source, this.budget);
  }

  /** A copy of the merged state, because ranking adds failures and a sample to it. */
  #copy(): { readonly run: StreamRun; readonly own: Collector<LocatedRow> } {
    const { unseen, topK, aggregates, collected } = this.#collector;
    const failures = new Failures();
    failures.addAll(collected.failures);
    const run = { ...this.#run, failures };
    const own = new Collector<LocatedRow>(run, retainedCount(run.plan));
    own.merge({ aggregates, unseen: unseen.unseen, failures: [] }, topK.retained());
    return { run, own };
  }

  #add(part: RankPart): void {
    this.#collector.merge(part, locatedRows(part.retained, this.given));
    this.#lines += part.lines;
    if (this.#sample.length < SAMPLE_SIZE) this.#sample = [...this.#sample, ...part.sample].slice(0, SAMPLE_SIZE);
  }
}
