import { Failures } from '../engine/failures.js';
import type { Budget } from '../engine/stages/select/select-plan.js';
import { SAMPLE_SIZE } from '../ranking/warnings/absent-paths.js';
import { Collector } from '../stream/collector.js';
import { retainedCount } from '../stream/memory-bound.js';
import { rankCollected } from '../stream/rank-stream.js';
import { type ColumnSource, rankCollectedRows } from '../stream/rank-table.js';
import type { StreamRun } from '../stream/stream-run.js';
import type { TopRanking } from '../stream/top-ranking.js';
import type { RankPart } from './rank-part.js';
import { type LocatedRow, locatedRows, toRetainedColumns } from './retained-rows.js';

/** A part with lines that cannot be read. */
export interface UnreadablePart {
  readonly index: number;
  /** How many lines come before it. */
  readonly linesBefore: number;
}

/** A merge, so that it can be resumed. Plain data. */
export interface RankMergeState {
  /** How many parts are merged: all before this one. */
  readonly next: number;
  /** What they come to. */
  readonly merged: RankPart;
  readonly unreadable: readonly UnreadablePart[];
  /** The parts that wait for one before them. */
  readonly waiting: readonly (readonly [index: number, part: RankPart])[];
}

/**
 * Merges the parts of a run, which arrive in any order and more than once. What they come to is independent of that: a
 * part is merged when all before it are, and waits until then. Memory for the retained rows and the parts that wait.
 */
export class RankMerge {
  readonly #run: StreamRun;
  readonly #collector: Collector<LocatedRow>;
  readonly #waiting = new Map<number, RankPart>();
  readonly #unreadable: UnreadablePart[] = [];
  #sample: readonly object[] = [];
  #lines = 0;
  #next = 0;

  /** @param run its own failures are those before any part; it stays as it is */
  constructor(run: StreamRun, state?: RankMergeState) {
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

  /** How many parts are merged: all before the first that is missing. */
  get next(): number {
    return this.#next;
  }

  /** How many candidates the merged parts had. */
  get given(): number {
    return this.#collector.aggregates.given;
  }

  /** The score below which no row of a later part can be selected. */
  get minCompetitiveScore(): number {
    return this.#collector.topK.best.minCompetitiveScore;
  }

  /** Among the merged parts. */
  get unreadable(): readonly UnreadablePart[] {
    return this.#unreadable;
  }

  has(index: number): boolean {
    return index < this.#next || this.#waiting.has(index);
  }

  /**
   * Takes a part.
   *
   * @param index its position among the parts, from 0 on
   * @returns false where it was there already: then nothing changes
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
   * The ranking of the merged parts.
   *
   * @param candidates  those of the retained rows
   * @param readSample  reads the first candidates, in which a hint about a typo is searched; called where there may be one
   */
  async rank(
    candidates: readonly object[],
    readSample: () => Promise<readonly object[]>,
    budget: Budget | undefined,
    notices: readonly string[] = [],
  ): Promise<TopRanking<object>> {
    const { run, own } = this.#copy();
    if (own.unseen.unseen.length > 0) own.unseen.addSample(this.#sample.length > 0 ? this.#sample : await readSample());
    return rankCollected(run, own, candidates, budget, notices);
  }

  /** The same of parts of a table: reads whole the rows that may be selected, and those that are named. */
  async rankRowsOf(source: ColumnSource, budget: Budget | undefined): Promise<TopRanking<object>> {
    const { run, own } = this.#copy();
    return rankCollectedRows(run, own, source, budget);
  }

  /** What is merged: ranking adds failures and a sample, and a second one is to begin as the first did. */
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
