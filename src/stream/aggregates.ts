import { ownIdOf } from '../engine/candidate-id.js';
import { type Refusal, refusalOf, refuserOf } from '../engine/kernel/verdict.js';
import type { Plan } from '../engine/plan.js';
import type { Evaluation } from '../engine/run-state.js';
import { refusalReason } from '../explain/refusals.js';
import { EXAMPLES_PER_REASON } from '../ranking/counts.js';
import { type ColumnStats, columnStats, mergeColumnStats } from '../ranking/warnings/column-stats.js';
import { type Extent, extentOf, NO_EXTENT, unionExtent } from '../text/extent.js';

/** One that was refused, as an example. */
export interface RefusalExample {
  /** Its own; undefined stands for its position. */
  readonly id: string | undefined;
  readonly index: number;
  readonly reason: string;
}

/** How many an entry refused for one kind of reason, and the first of them. */
export interface RefusalAggregate {
  readonly by: string;
  readonly kind: Refusal;
  readonly count: number;
  readonly examples: readonly RefusalExample[];
}

/**
 * What is counted of candidates that nobody holds. Plain data: that of two parts, the earlier one first, makes that
 * of both.
 */
export interface Aggregates {
  readonly given: number;
  readonly ranked: number;
  /** How many of them scored below the profile's `min_score`. */
  readonly belowMinScore: number;
  readonly refused: readonly RefusalAggregate[];
  /** Of the totals of those that are ranked. */
  readonly totals: Extent;
  readonly columns: readonly ColumnStats[];
}

/** That of nobody. */
export const EMPTY_AGGREGATES: Aggregates = {
  given: 0,
  ranked: 0,
  belowMinScore: 0,
  refused: [],
  totals: NO_EXTENT,
  columns: [],
};

/** Counts a part that was judged. */
export function aggregatesOf(plan: Plan, judged: Evaluation, offset: number): Aggregates {
  const { totals, candidates } = judged;
  const { minScore } = plan.select;
  return {
    given: candidates.length,
    ranked: totals.length,
    belowMinScore: minScore === undefined ? 0 : totals.reduce((low, total) => low + Number(!(total >= minScore)), 0),
    refused: aggregateRefusals(plan, judged, offset),
    totals: extentOf(totals),
    columns: columnStats(plan, judged, offset),
  };
}

function aggregateRefusals(plan: Plan, judged: Evaluation, offset: number): readonly RefusalAggregate[] {
  const { candidates, verdicts } = judged;
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
  return Array.from(counts, ([verdict, count]) => ({
    by: plan.refusers[refuserOf(verdict)] ?? 'combine',
    kind: refusalOf(verdict),
    count,
    examples: (positions.get(verdict) ?? []).map((position) => ({
      id: ownIdOf(plan.profile, candidates[position]),
      index: offset + position,
      reason: refusalReason(plan, judged, position, verdict),
    })),
  }));
}

/** What is counted of two parts together, the earlier one first. */
export function mergeAggregates(a: Aggregates, b: Aggregates): Aggregates {
  return {
    given: a.given + b.given,
    ranked: a.ranked + b.ranked,
    belowMinScore: a.belowMinScore + b.belowMinScore,
    refused: mergeRefusals(a.refused, b.refused),
    totals: unionExtent(a.totals, b.totals),
    columns: a.given === 0 ? b.columns : b.given === 0 ? a.columns : mergeColumns(a.columns, b.columns),
  };
}

/** The scorers of a run are those of all its parts. */
const mergeColumns = (a: readonly ColumnStats[], b: readonly ColumnStats[]): readonly ColumnStats[] =>
  a.map((column, k) => mergeColumnStats(column, b[k]!));

function mergeRefusals(a: readonly RefusalAggregate[], b: readonly RefusalAggregate[]): readonly RefusalAggregate[] {
  const all = [...a];
  for (const more of b) {
    const at = all.findIndex(({ by, kind }) => by === more.by && kind === more.kind);
    const known = all[at];
    if (!known) all.push(more);
    else {
      const examples = [...known.examples, ...more.examples].slice(0, EXAMPLES_PER_REASON);
      all[at] = { ...known, count: known.count + more.count, examples };
    }
  }
  return all;
}

/** The census of a part whose first candidate is the `offset`th of the whole. */
export const shiftAggregates = (census: Aggregates, offset: number): Aggregates =>
  offset === 0
    ? census
    : {
        ...census,
        refused: census.refused.map((one) => ({
          ...one,
          examples: one.examples.map((row) => shiftIndex(row, offset)),
        })),
        columns: census.columns.map((one) => ({
          ...one,
          firstOutOfRange: one.firstOutOfRange && shiftIndex(one.firstOutOfRange, offset),
        })),
      };

const shiftIndex = <R extends { readonly index: number }>(row: R, offset: number): R => ({
  ...row,
  index: row.index + offset,
});
