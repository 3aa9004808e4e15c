import { sortRows, topRows } from '../matrix/order.js';

/** What one row is asked while selecting: undefined is absent. */
export type RowKey = (row: number) => unknown;

export interface SelectPlan {
  readonly duplicates: RowKey | undefined;
  readonly minScore: number | undefined;
  /** undefined among them stands for the position in the input. */
  readonly ties: readonly (RowKey | undefined)[] | undefined;
  readonly top: number | undefined;
}

/** Why a row was left out. */
export type LeftReason = 'duplicate' | 'min_score' | 'top';

export interface LeftRow {
  readonly row: number;
  readonly reason: LeftReason;
  /** The row that is kept in its place, for a duplicate. */
  readonly keptRow?: number;
}

export interface Selected {
  /** The selected rows, best first. */
  readonly rows: Int32Array;
  readonly left: readonly LeftRow[];
}

/** How two keys compare: numbers, then texts, then anything else as equal; absent last. */
function compareKeys(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return Number(a === undefined) - Number(b === undefined);
}

/** All rows in the profile's order: score descending, then its `ties`, then position. */
export function order(totals: Float64Array, ties: SelectPlan['ties']): Int32Array {
  const rows = sortRows(totals);
  if (!ties) return rows;
  const keys = ties.map((key) => (key ? Array.from(totals, (_, row) => key(row)) : undefined));
  return rows.sort((a, b) => {
    if (totals[a] !== totals[b]) return totals[b]! - totals[a]!;
    for (const column of keys) {
      const difference = column ? compareKeys(column[a], column[b]) : a - b;
      if (difference !== 0) return difference;
    }
    return a - b;
  });
}

/** A duplicate key by value: lists and maps are equal when their parts are. */
const keyText = (key: unknown): unknown => (typeof key === 'object' && key !== null ? JSON.stringify(key) : key);

/** Removes duplicates (the best is kept), then the too low, then all but the top. Given = selected + left out. */
export function select(plan: SelectPlan, totals: Float64Array): Selected {
  if (plan.duplicates === undefined && plan.minScore === undefined && !plan.ties && plan.top !== undefined) {
    return cutOnly(totals, plan.top);
  }
  const left: LeftRow[] = [];
  const seen = new Map<unknown, number>();
  const kept = order(totals, plan.ties).filter((row) => {
    const key = keyText(plan.duplicates?.(row));
    const first = key === undefined ? undefined : seen.get(key);
    if (first !== undefined) {
      left.push({ row, reason: 'duplicate', keptRow: first });
      return false;
    }
    if (key !== undefined) seen.set(key, row);
    if (plan.minScore === undefined || totals[row]! >= plan.minScore) return true;
    left.push({ row, reason: 'min_score' });
    return false;
  });
  const top = plan.top ?? kept.length;
  for (const row of kept.subarray(top)) left.push({ row, reason: 'top' });
  return { rows: kept.slice(0, top), left };
}

/** The common case without sorting what is cut. */
function cutOnly(totals: Float64Array, top: number): Selected {
  const rows = topRows(totals, top);
  const chosen = new Set(rows);
  const left: LeftRow[] = [];
  for (let row = 0; row < totals.length; row++) if (!chosen.has(row)) left.push({ row, reason: 'top' });
  return { rows, left };
}
