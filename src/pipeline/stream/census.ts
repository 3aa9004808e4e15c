import { type Extent, extentOf, joinedExtent, NO_EXTENT } from '../../matrix/extent.js';
import { judgeOf, type Refusal, refusalOf } from '../../matrix/verdict.js';
import type { Plan } from '../compile/plan.js';
import { refusalReason } from '../explain/refusal-reason.js';
import { idWithin } from '../ids.js';
import type { Judgement } from '../outcome.js';
import { type ColumnFacts, columnsOf, joinedColumn } from '../warnings/columns.js';

/** How many of those that an entry refused are named. */
export const NAMED = 3;

/** One that was refused, as an example. */
export interface RefusedExample {
  /** Its own; undefined stands for its position. */
  readonly id: string | undefined;
  readonly index: number;
  readonly reason: string;
}

/** How many an entry refused for one kind of reason, and the first of them. */
export interface RefusalCount {
  readonly by: string;
  readonly kind: Refusal;
  readonly count: number;
  readonly examples: readonly RefusedExample[];
}

/**
 * What is counted of candidates that nobody holds. Plain data: that of two parts, the earlier one first, makes that
 * of both.
 */
export interface Census {
  readonly given: number;
  readonly ranked: number;
  /** How many of them scored below the profile's `min_score`. */
  readonly low: number;
  readonly refused: readonly RefusalCount[];
  /** Of the totals of those that are ranked. */
  readonly totals: Extent;
  readonly columns: readonly ColumnFacts[];
}

/** That of nobody. */
export const NOBODY: Census = { given: 0, ranked: 0, low: 0, refused: [], totals: NO_EXTENT, columns: [] };

/** Counts a part that was judged. */
export function censusOf(plan: Plan, judged: Judgement, offset: number): Census {
  const { totals, candidates } = judged;
  const { minScore } = plan.select;
  return {
    given: candidates.length,
    ranked: totals.length,
    low: minScore === undefined ? 0 : totals.reduce((low, total) => low + Number(!(total >= minScore)), 0),
    refused: refusals(plan, judged, offset),
    totals: extentOf(totals),
    columns: columnsOf(plan, judged, offset),
  };
}

function refusals(plan: Plan, judged: Judgement, offset: number): readonly RefusalCount[] {
  const { candidates, verdicts } = judged;
  const positions = new Map<number, number[]>();
  const counts = new Map<number, number>();
  for (let position = 0; position < verdicts.length; position++) {
    const verdict = verdicts[position]!;
    if (verdict === 0) continue;
    const count = counts.get(verdict) ?? 0;
    counts.set(verdict, count + 1);
    if (count === 0) positions.set(verdict, [position]);
    else if (count < NAMED) positions.get(verdict)?.push(position);
  }
  return Array.from(counts, ([verdict, count]) => ({
    by: plan.judges[judgeOf(verdict)] ?? 'combine',
    kind: refusalOf(verdict),
    count,
    examples: (positions.get(verdict) ?? []).map((position) => ({
      id: idWithin(plan.profile, candidates[position]),
      index: offset + position,
      reason: refusalReason(plan, judged, position, verdict),
    })),
  }));
}

/** What is counted of two parts together, the earlier one first. */
export function joined(a: Census, b: Census): Census {
  return {
    given: a.given + b.given,
    ranked: a.ranked + b.ranked,
    low: a.low + b.low,
    refused: joinedRefusals(a.refused, b.refused),
    totals: joinedExtent(a.totals, b.totals),
    columns: a.given === 0 ? b.columns : b.given === 0 ? a.columns : joinedColumns(a.columns, b.columns),
  };
}

/** The scorers of a run are those of all its parts. */
const joinedColumns = (a: readonly ColumnFacts[], b: readonly ColumnFacts[]): readonly ColumnFacts[] =>
  a.map((column, k) => joinedColumn(column, b[k]!));

function joinedRefusals(a: readonly RefusalCount[], b: readonly RefusalCount[]): readonly RefusalCount[] {
  const all = [...a];
  for (const more of b) {
    const at = all.findIndex(({ by, kind }) => by === more.by && kind === more.kind);
    const known = all[at];
    if (!known) all.push(more);
    else {
      const examples = [...known.examples, ...more.examples].slice(0, NAMED);
      all[at] = { ...known, count: known.count + more.count, examples };
    }
  }
  return all;
}

/** The census of a part whose first candidate is the `offset`th of the whole. */
export const shifted = (census: Census, offset: number): Census =>
  offset === 0
    ? census
    : {
        ...census,
        refused: census.refused.map((one) => ({ ...one, examples: one.examples.map((row) => moved(row, offset)) })),
        columns: census.columns.map((one) => ({
          ...one,
          firstOutside: one.firstOutside && moved(one.firstOutside, offset),
        })),
      };

const moved = <R extends { readonly index: number }>(row: R, offset: number): R => ({
  ...row,
  index: row.index + offset,
});
