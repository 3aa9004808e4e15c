import {
  chain,
  checkCandidates,
  checkDatesOf,
  ColumnBuffer,
  type CountedFailure,
  evaluatePart,
  type MaybeAsync,
  startPart,
} from '../engine/index.js';
import { UnseenPaths } from '../ranking/index.js';
import { type Aggregates, aggregatesOf, EMPTY_AGGREGATES, mergeAggregates, shiftAggregates } from './aggregates.js';
import { completePart, type StreamRun } from './stream-run.js';
import { type RetainedRow, TopKCollector } from './top-k-collector.js';

/** What another collector has of its candidates, but for the retained rows. Plain data. */
export interface CollectedPart {
  readonly aggregates: Aggregates;
  readonly unseen: readonly number[];
  readonly failures: readonly CountedFailure[];
}

/** Collects the candidates of a run: the rows that may be selected are retained, all others are aggregated. */
export class Collector<R extends RetainedRow> {
  readonly topK: TopKCollector<R>;
  readonly unseen: UnseenPaths;
  readonly #columns = new ColumnBuffer();
  #aggregates = EMPTY_AGGREGATES;

  /** @param count how many of the best rows are retained */
  constructor(
    private readonly run: StreamRun,
    count: number,
  ) {
    this.topK = new TopKCollector<R>(run.plan, count);
    this.unseen = new UnseenPaths(run.plan.profile);
  }

  get aggregates(): Aggregates {
    return this.#aggregates;
  }

  /**
   * Evaluates the next candidates, and collects them.
   *
   * @param toRetained makes a retained row, from its numbers and its position among the candidates
   * @param before     how many candidates precede this collector's, for positions in errors
   */
  collect(
    candidates: readonly unknown[],
    toRetained: (row: RetainedRow, position: number) => R,
    before = 0,
  ): Promise<void> {
    const offset = before + this.aggregates.given;
    checkCandidates(candidates, offset);
    checkDatesOf(this.run.plan.profile, candidates);
    return completePart(this.run, () => this.#evaluate(candidates, toRetained), candidates, offset);
  }

  /** Adds the next part, which another collector has collected. */
  merge({ aggregates, unseen, failures }: CollectedPart, rows: Iterable<R>): void {
    for (const row of rows) this.topK.add(row);
    this.unseen.merge(unseen);
    this.run.failures.addAll(failures);
    this.#aggregates = mergeAggregates(this.aggregates, shiftAggregates(aggregates, this.aggregates.given));
  }

  /** What has been collected, but for the retained rows: the first argument of `merge`. */
  get collected(): CollectedPart {
    const { aggregates, unseen, run } = this;
    return { aggregates, unseen: unseen.unseen, failures: run.failures.entries };
  }

  #evaluate(candidates: readonly unknown[], toRetained: (row: RetainedRow, position: number) => R): MaybeAsync<void> {
    const { run, aggregates } = this;
    return chain(evaluatePart(startPart(run, candidates, run.failures, this.#columns)), (evaluation) => {
      this.unseen.add(candidates);
      this.topK.collect(evaluation, aggregates.given, toRetained);
      this.#aggregates = mergeAggregates(
        aggregates,
        aggregatesOf(run.plan, evaluation, aggregates.given, aggregates.refused),
      );
    });
  }
}
