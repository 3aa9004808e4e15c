import { checkCandidates } from '../engine/check-candidates.js';
import type { CountedFailure } from '../engine/failures.js';
import { evaluatePart } from '../engine/run.js';
import { startPart } from '../engine/start-run.js';
import { chain, type MaybeAsync } from '../engine/task.js';
import { UnseenPaths } from '../ranking/warnings/absent-paths.js';
import { type Aggregates, aggregatesOf, EMPTY_AGGREGATES, mergeAggregates, shiftAggregates } from './aggregates.js';
import { completePart, type StreamRun } from './stream-run.js';
import { type RetainedRow, TopKCollector } from './top-k-collector.js';

/** What is known of candidates that were gathered elsewhere, besides those that are held. Plain data. */
export interface CollectedPart {
  readonly aggregates: Aggregates;
  readonly unseen: readonly number[];
  readonly failures: readonly CountedFailure[];
}

/** What is known of the candidates of a stream so far: those that may be selected, and numbers for everybody else. */
export class Collector<R extends RetainedRow> {
  readonly topK: TopKCollector<R>;
  readonly unseen: UnseenPaths;
  #aggregates = EMPTY_AGGREGATES;

  /** @param count how many of the best are held */
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
   * Judges the next candidates, and takes them in.
   *
   * @param held   makes what is held of a row, by its position among them
   * @param before how many came before all that are gathered here, for what is said where a run fails
   */
  collect(candidates: readonly unknown[], held: (row: RetainedRow, position: number) => R, before = 0): Promise<void> {
    const offset = before + this.aggregates.given;
    checkCandidates(candidates, offset);
    return completePart(this.run, () => this.#judged(candidates, held), candidates, offset);
  }

  /** Takes in the next candidates, which were gathered elsewhere. */
  merge({ aggregates, unseen, failures }: CollectedPart, rows: Iterable<R>): void {
    for (const row of rows) this.topK.add(row);
    this.unseen.merge(unseen);
    this.run.failures.addAll(failures);
    this.#aggregates = mergeAggregates(this.aggregates, shiftAggregates(aggregates, this.aggregates.given));
  }

  /** All but those that are held, for a gathering that takes it in. */
  get collected(): CollectedPart {
    const { aggregates, unseen, run } = this;
    return { aggregates, unseen: unseen.unseen, failures: run.failures.entries };
  }

  #judged(candidates: readonly unknown[], held: (row: RetainedRow, position: number) => R): MaybeAsync<void> {
    const { run, aggregates } = this;
    return chain(evaluatePart(startPart(run, candidates, run.failures)), (judged) => {
      this.unseen.add(candidates);
      this.topK.collect(judged, aggregates.given, held);
      this.#aggregates = mergeAggregates(aggregates, aggregatesOf(run.plan, judged, aggregates.given));
    });
  }
}
