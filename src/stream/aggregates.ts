import { addCounts, dateFactsOf } from '../columns/index.js';
import { type Evaluation, ownIdOf, type Plan, type Refusal, refusalOf, refuserOf } from '../engine/index.js';
import { refusalReason } from '../explain/index.js';
import {
  type ColumnStats,
  columnStats,
  EXAMPLES_PER_REASON,
  mergeColumnStats,
  mergeRescaledScores,
  NONE_RESCALED,
  type RescaledScores,
  rescaledScores,
} from '../ranking/index.js';
import { type Extent, extentOf, NO_EXTENT, unionExtent } from '../text/index.js';

/** A refused candidate, as an example. */
export interface RefusalExample {
  /** Its own id; undefined where it has none and its position is the id. */
  readonly id: string | undefined;
  readonly index: number;
  readonly reason: string;
}

/** How many candidates one entry refused for one kind of reason, with the first few. */
export interface RefusalAggregate {
  readonly by: string;
  readonly kind: Refusal;
  readonly count: number;
  readonly examples: readonly RefusalExample[];
}

/** Counts and statistics of the candidates of a part, which are not retained themselves. Plain data, and mergeable. */
export interface Aggregates {
  readonly given: number;
  readonly ranked: number;
  /** How many of the ranked scored below the profile's `min_score`. */
  readonly belowMinScore: number;
  readonly refused: readonly RefusalAggregate[];
  /** The range of the totals of the ranked. */
  readonly totals: Extent;
  readonly columns: readonly ColumnStats[];
  readonly rescaled: RescaledScores;
  /** By field of dates: in how many of the candidates it is infinite. */
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
  columns: [],
  rescaled: NONE_RESCALED,
  infiniteDates: NONE,
};

/**
 * Aggregates a part that was evaluated.
 *
 * @param offset how many candidates come before it
 * @param before the refused of the parts before it: of a group that has its examples, no more are made
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
    columns: columnStats(plan, evaluation, offset),
    rescaled: rescaledScores(plan, evaluation, offset),
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
    columns: a.given === 0 ? b.columns : b.given === 0 ? a.columns : mergeColumns(a.columns, b.columns),
    rescaled: mergeRescaledScores(a.rescaled, b.rescaled),
    infiniteDates: addCounts(a.infiniteDates, b.infiniteDates),
  };
}

/** All parts of a run have the same columns. */
const mergeColumns = (a: readonly ColumnStats[], b: readonly ColumnStats[]): readonly ColumnStats[] =>
  a.map((column, k) => mergeColumnStats(column, b[k]!));

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
  offset === 0
    ? aggregates
    : {
        ...aggregates,
        refused: aggregates.refused.map((one) => ({
          ...one,
          examples: one.examples.map((row) => shiftIndex(row, offset)),
        })),
        columns: aggregates.columns.map((one) => ({
          ...one,
          firstOutOfRange: one.firstOutOfRange && shiftIndex(one.firstOutOfRange, offset),
        })),
        rescaled: {
          ...aggregates.rescaled,
          first: aggregates.rescaled.first && shiftIndex(aggregates.rescaled.first, offset),
        },
      };

/** The positions of the candidates that the aggregates name. */
export const namedPositions = ({ refused, columns, rescaled }: Aggregates): readonly number[] =>
  [
    ...refused.flatMap(({ examples }) => examples),
    ...columns.map((one) => one.firstOutOfRange),
    rescaled.first,
  ].flatMap((row) => row?.index ?? []);

/** The aggregates of candidates whose ids were not read, with the ids. */
export function nameAggregates(aggregates: Aggregates, idAt: (index: number) => string | undefined): Aggregates {
  const named = <R extends { readonly index: number }>(row: R): R => ({ ...row, id: idAt(row.index) });
  const { refused, columns, rescaled } = aggregates;
  return {
    ...aggregates,
    refused: refused.map((group) => ({ ...group, examples: group.examples.map(named) })),
    columns: columns.map((one) => ({ ...one, firstOutOfRange: one.firstOutOfRange && named(one.firstOutOfRange) })),
    rescaled: { ...rescaled, first: rescaled.first && named(rescaled.first) },
  };
}

const shiftIndex = <R extends { readonly index: number }>(row: R, offset: number): R => ({
  ...row,
  index: row.index + offset,
});
