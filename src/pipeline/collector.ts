import { addCounts, dateFactsOf } from '../data/index.js';
import {
  startPart,
  checkCandidates,
  checkDatesOf,
  ownIdOf,
  type CountedFailure,
  ColumnBuffer,
  TopKHeap,
  type Refusal,
  refusalOf,
  refuserOf,
  type Plan,
  type Evaluation,
  evaluatePart,
  compareKeys,
  tieKeys,
  chain,
  type MaybeAsync,
} from '../engine/index.js';
import { refusalReason, UnseenPaths, EXAMPLES_PER_REASON } from '../ranking/index.js';
import { type Extent, extentOf, NO_EXTENT, unionExtent } from '../base/index.js';
import { completePart, type StreamRun } from './stream-run.js';

/** The data of a collector without its retained rows. Plain data. */
export interface CollectedPart {
  readonly aggregates: Aggregates;
  readonly unseen: readonly number[];
  readonly failures: readonly CountedFailure[];
}

/** Collects the candidates of a run. Retains rows that may be selected, and aggregates all others. */
export class Collector<R extends RetainedRow> {
  readonly topK: TopKCollector<R>;
  readonly unseen: UnseenPaths;
  readonly #columns = new ColumnBuffer();
  #aggregates = EMPTY_AGGREGATES;

  /** @param count the number of best rows to retain */
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
   * @param toRetained creates a retained row from its numbers and its position in `candidates`
   * @param before the number of candidates before those of this collector, for positions in errors
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

  /** Adds the next part, collected by another collector. */
  merge({ aggregates, unseen, failures }: CollectedPart, rows: Iterable<R>): void {
    for (const row of rows) this.topK.add(row);
    this.unseen.merge(unseen);
    this.run.failures.addAll(failures);
    this.#aggregates = mergeAggregates(this.aggregates, shiftAggregates(aggregates, this.aggregates.given));
  }

  /** The collected data without the retained rows: the first argument of `merge`. */
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

/** A row that may be selected. */
export interface RetainedRow {
  /** Its score; NaN if it is pinned. */
  readonly total: number;
  /** Its position in the stream. */
  readonly index: number;
  /** The values of the profile's `ties`; undefined if absent. */
  readonly keys: readonly unknown[];
}

/** Retains the pinned rows and the best of the others. */
export class TopKCollector<R extends RetainedRow = RetainedRow> {
  readonly best: TopKHeap<R>;
  readonly pinned: R[] = [];
  readonly #minScore: number;

  constructor(
    private readonly plan: Plan,
    count: number,
  ) {
    const { ties, minScore } = plan.select;
    this.#minScore = minScore ?? Number.NEGATIVE_INFINITY;
    // An undefined tie is the position. It is unique, so ties after it never decide.
    const deciding = ties?.findIndex((tie) => tie === undefined) ?? -1;
    const keys = deciding < 0 ? (ties?.length ?? 0) : deciding;
    this.best = new TopKHeap<R>(count, (a, b) => {
      if (a.total !== b.total) return a.total < b.total;
      for (let k = 0; k < keys; k++) {
        const difference = compareKeys(a.keys[k], b.keys[k]);
        if (difference !== 0) return difference > 0;
      }
      return a.index > b.index;
    });
  }

  /**
   * Collects the rows of an evaluated chunk.
   *
   * @param offset the number of candidates before the chunk
   * @param toRetained creates a retained row from its numbers and its position in the chunk
   */
  collect(evaluation: Evaluation, offset: number, toRetained: (row: RetainedRow, position: number) => R): void {
    const { kept, rows, totals, pinned, context } = evaluation;
    const { best, plan } = this;
    for (const position of pinned) {
      this.pinned.push(toRetained({ total: Number.NaN, index: offset + position, keys: NO_KEYS }, position));
    }
    const ties = tieKeys(plan, evaluation);
    const keysOf = (r: number): readonly unknown[] =>
      ties ? plan.current.enter(context, () => ties.map((key) => key?.(r))) : NO_KEYS;
    for (let r = 0; r < totals.length; r++) {
      const total = totals[r]!;
      // Evaluated for every row, retained or not, because a tie that fails must fail the run.
      const keys = keysOf(r);
      if (total < this.#minScore || total < best.minCompetitiveScore) continue;
      const position = kept[rows?.[r] ?? r]!;
      best.add(toRetained({ total, index: offset + position, keys }, position));
    }
  }

  /** Adds a row that another collector retained. */
  add(row: R): void {
    if (Number.isNaN(row.total)) this.pinned.push(row);
    else if (!(row.total < this.best.minCompetitiveScore)) this.best.add(row);
  }

  /** All retained rows, in the order of the stream. */
  retained(): readonly R[] {
    return [...this.pinned, ...this.best.rows].toSorted((a, b) => a.index - b.index);
  }
}

const NO_KEYS: readonly unknown[] = [];

/** An example of a refused candidate. */
interface RefusalExample {
  /** Its own id; undefined if it has no id, so that its position is used. */
  readonly id: string | undefined;
  readonly index: number;
  readonly reason: string;
}

/** How many candidates one entry refused with one kind of refusal, with the first few as examples. */
interface RefusalAggregate {
  readonly by: string;
  readonly kind: Refusal;
  readonly count: number;
  readonly examples: readonly RefusalExample[];
}

/** Counts and statistics of the candidates of a part. Plain data; can be merged. */
export interface Aggregates {
  readonly given: number;
  readonly ranked: number;
  /** How many ranked candidates scored below the profile's `min_score`. */
  readonly belowMinScore: number;
  readonly refused: readonly RefusalAggregate[];
  /** The range of the totals of the ranked candidates. */
  readonly totals: Extent;
  /** By field, the number of candidates with an infinite date. */
  readonly infiniteDates: ReadonlyMap<string, number>;
}

const NONE: ReadonlyMap<string, number> = new Map();

/** The aggregates of no candidates: the identity of `mergeAggregates`. */
export const EMPTY_AGGREGATES: Aggregates = {
  given: 0,
  ranked: 0,
  belowMinScore: 0,
  refused: [],
  totals: NO_EXTENT,
  infiniteDates: NONE,
};

/**
 * Aggregates an evaluated part.
 *
 * @param offset the number of candidates before the part
 * @param before the refusals of earlier parts, to skip examples for groups that have enough
 */
export function aggregatesOf(
  plan: Plan,
  evaluation: Evaluation,
  offset: number,
  before: Aggregates['refused'] = [],
): Aggregates {
  const { totals, candidates } = evaluation;
  const { minScore } = plan.select;
  return {
    given: candidates.length,
    ranked: totals.length,
    belowMinScore: minScore === undefined ? 0 : totals.reduce((low, total) => low + Number(!(total >= minScore)), 0),
    refused: aggregateRefusals(plan, evaluation, offset, before),
    totals: extentOf(totals),
    infiniteDates: dateFactsOf(candidates)?.infinite() ?? NONE,
  };
}

function aggregateRefusals(
  plan: Plan,
  evaluation: Evaluation,
  offset: number,
  before: readonly RefusalAggregate[],
): readonly RefusalAggregate[] {
  const { candidates, verdicts } = evaluation;
  const positions = new Map<number, number[]>();
  const counts = new Map<number, number>();
  for (let position = 0; position < verdicts.length; position++) {
    const verdict = verdicts[position]!;
    if (verdict === 0) continue;
    const count = counts.get(verdict) ?? 0;
    counts.set(verdict, count + 1);
    if (count === 0) positions.set(verdict, [position]);
    else if (count < EXAMPLES_PER_REASON) positions.get(verdict)?.push(position);
  }
  return Array.from(counts, ([verdict, count]) => {
    const by = plan.refusers[refuserOf(verdict)] ?? 'combine';
    const kind = refusalOf(verdict);
    const known = before.find((group) => group.by === by && group.kind === kind)?.examples.length ?? 0;
    const examples = (positions.get(verdict) ?? []).slice(0, EXAMPLES_PER_REASON - known).map((position) => ({
      id: ownIdOf(plan.profile, candidates[position]),
      index: offset + position,
      reason: refusalReason(plan, evaluation, position, verdict),
    }));
    return { by, kind, count, examples };
  });
}

/** Merges the aggregates of two parts, the earlier one first. Associative. */
export function mergeAggregates(a: Aggregates, b: Aggregates): Aggregates {
  return {
    given: a.given + b.given,
    ranked: a.ranked + b.ranked,
    belowMinScore: a.belowMinScore + b.belowMinScore,
    refused: mergeRefusals(a.refused, b.refused),
    totals: unionExtent(a.totals, b.totals),
    infiniteDates: addCounts(a.infiniteDates, b.infiniteDates),
  };
}

function mergeRefusals(a: readonly RefusalAggregate[], b: readonly RefusalAggregate[]): readonly RefusalAggregate[] {
  const all = [...a];
  for (const group of b) {
    const at = all.findIndex(({ by, kind }) => by === group.by && kind === group.kind);
    const same = all[at];
    if (!same) all.push(group);
    else {
      const examples = [...same.examples, ...group.examples].slice(0, EXAMPLES_PER_REASON);
      all[at] = { ...same, count: same.count + group.count, examples };
    }
  }
  return all;
}

/** The aggregates of a part with its positions shifted by `offset`. */
export const shiftAggregates = (aggregates: Aggregates, offset: number): Aggregates =>
  offset === 0 ? aggregates : withExamples(aggregates, (row) => ({ ...row, index: row.index + offset }));

/** The positions of the candidates that the aggregates name. */
export const namedPositions = ({ refused }: Aggregates): readonly number[] =>
  refused.flatMap(({ examples }) => examples.map(({ index }) => index));

/** Adds the ids of the example candidates. */
export const nameAggregates = (aggregates: Aggregates, idAt: (index: number) => string | undefined): Aggregates =>
  withExamples(aggregates, (row) => ({ ...row, id: idAt(row.index) }));

/** The aggregates with each example of a refused candidate changed. */
export const withExamples = (aggregates: Aggregates, change: (row: RefusalExample) => RefusalExample): Aggregates => ({
  ...aggregates,
  refused: aggregates.refused.map((group) => ({ ...group, examples: group.examples.map(change) })),
});
