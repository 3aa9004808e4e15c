import { prefixOf } from '../../kernel/run-buffers.js';
import { sortRows, topRows } from '../../kernel/top-rows.js';
import { leftByGroup, topOfGroups } from './top-of-groups.js';
import type { RowKey, RowSelection, RowsPerGroup, UnselectedRow } from './types.js';
import { valueKey } from './value-key.js';

/** `SelectKeys` bound to a run. */
export interface RowKeys {
  /** The key by value. */
  readonly duplicates: RowKey | undefined;
  readonly minScore: number | undefined;
  readonly per: RowsPerGroup | undefined;
  /** undefined among them is the position in the input. */
  readonly ties: readonly (RowKey | undefined)[] | undefined;
  readonly top: number | undefined;
  readonly offset: number;
}

const KIND_ORDER = ['number', 'string', 'boolean', 'object'];

/** How two keys compare: numbers, NaN behind them, then strings, then booleans, then anything else as equal; absent last. */
export function compareKeys(a: unknown, b: unknown): number {
  if (typeof a !== typeof b) return kindRank(a) - kindRank(b);
  // Not their difference: that of two infinities is none.
  if (typeof a === 'number' && typeof b === 'number') {
    return a < b ? -1 : a > b ? 1 : Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  }
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'boolean' ? Number(a) - Number(b) : 0;
}

const kindRank = (key: unknown): number => (key === undefined ? KIND_ORDER.length : KIND_ORDER.indexOf(typeof key));

/** All rows in the profile's order: score descending, then its `ties`, then position. */
export function order(totals: Float64Array, ties: RowKeys['ties']): Int32Array {
  const rows = sortRows(totals);
  if (!ties) return rows;
  const keys = ties.map((key) => (key ? Array.from(totals, (_, row) => key(row)) : undefined));
  return rows.sort((a, b) => {
    if (totals[a] !== totals[b]) return totals[b]! - totals[a]!;
    return compareTied(keys, a, b);
  });
}

/** Compares two rows of equal score: by the first key that differs, else by position. */
export function compareTied(keys: readonly (readonly unknown[] | undefined)[], a: number, b: number): number {
  for (const column of keys) {
    const difference = column ? compareKeys(column[a], column[b]) : a - b;
    if (difference !== 0) return difference;
  }
  return a - b;
}

/**
 * Removes duplicates (the best is kept), then the too low, then those of a group that has enough, then what is before the
 * offset, then all but the top. Given = selected + left out.
 *
 * @param ordered all rows, best first
 */
export function selectRows(keys: RowKeys, totals: Float64Array, ordered: () => Int32Array): RowSelection {
  const { offset, top } = keys;
  if (offset === 0) return selectFirst(keys, totals, ordered);
  const upToEnd = selectFirst({ ...keys, top: top === undefined ? undefined : offset + top }, totals, ordered);
  const before = upToEnd.rows.subarray(0, offset);
  return {
    rows: upToEnd.rows.subarray(offset),
    ranks: () => upToEnd.ranks()?.subarray(offset),
    left: () => [...Array.from(before, (row) => ({ row, reason: 'offset' as const })), ...upToEnd.left()],
  };
}

/** The selection without an offset. */
function selectFirst(keys: RowKeys, totals: Float64Array, ordered: () => Int32Array): RowSelection {
  const { duplicates, minScore, per, ties, top } = keys;
  if (duplicates === undefined && minScore === undefined && per === undefined) return cutToTop(keys, totals, ordered);
  const isSmall = top !== undefined && top < totals.length / 4;
  if (per && isSmall && !duplicates && !ties) return topOfGroups({ per, minScore, top }, totals, ordered);
  return walkRows(keys, totals, ordered);
}

/** Selects row by row, best first. */
function walkRows(keys: RowKeys, totals: Float64Array, ordered: () => Int32Array): RowSelection {
  const { duplicates, minScore = Number.NEGATIVE_INFINITY, per, top = Number.POSITIVE_INFINITY } = keys;
  const left: UnselectedRow[] = [];
  const seen = new Map<unknown, number>();
  const groups = new Map<unknown, number[]>();
  let count = 0;
  const rows = ordered().filter((row) => {
    const key = duplicates?.(row);
    const first = key === undefined ? undefined : seen.get(key);
    if (key !== undefined && first === undefined) seen.set(key, row);
    if (first !== undefined) left.push({ row, reason: 'duplicate', keptRows: [first] });
    else if (!(totals[row]! >= minScore)) left.push({ row, reason: 'min_score' });
    else if (count === top) left.push({ row, reason: 'top' });
    else {
      const value = per?.by(row);
      const isLeft = per !== undefined && isFull(groups, value, row, per.top);
      if (isLeft) left.push(leftByGroup(row, value, groups.get(valueKey(value))!));
      else count += 1;
      return !isLeft;
    }
    return false;
  });
  return { rows, ranks: () => undefined, left: () => left };
}

/** Whether the group of a row has as many as it may; where not, the row is its next. */
function isFull(groups: Map<unknown, number[]>, value: unknown, row: number, most: number): boolean {
  if (value === undefined) return false;
  const key = valueKey(value);
  const group = groups.get(key);
  if (!group) groups.set(key, [row]);
  else if (group.length === most) return true;
  else group.push(row);
  return false;
}

/** The common case: where only the score decides, the rows that are cut need not be sorted. */
function cutToTop({ top, ties }: RowKeys, totals: Float64Array, ordered: () => Int32Array): RowSelection {
  const rows =
    top === undefined || ties
      ? prefixOf(ordered(), Math.min(top ?? totals.length, totals.length))
      : topRows(totals, top);
  const left = (): UnselectedRow[] => Array.from(ordered().subarray(rows.length), (row) => ({ row, reason: 'top' }));
  return { rows, ranks: () => Int32Array.from(rows, (_, k) => k + 1), left };
}
