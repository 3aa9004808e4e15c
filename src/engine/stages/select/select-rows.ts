import { prefixOf } from '../../kernel/run-buffers.js';
import { sortRows, topRows } from '../../kernel/top-rows.js';
import type { RowSelection, UnselectedRow } from './types.js';

/** What order and cut read of a row; undefined is absent. */
export type RowKey = (row: number) => unknown;

/** `SelectKeys` bound to a run. */
export interface RowKeys {
  readonly duplicates: RowKey | undefined;
  readonly minScore: number | undefined;
  /** undefined among them stands for the position in the input. */
  readonly ties: readonly (RowKey | undefined)[] | undefined;
  readonly top: number | undefined;
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

/** The most lists, maps and values in a key: a small expression can make a list that holds itself many times. */
const MAX_PARTS = 100_000;

/** A key by value: lists and maps are equal when their parts are, and never equal to a text. */
export function duplicateKey(key: unknown): unknown {
  if (typeof key !== 'object' || key === null) return typeof key === 'string' ? `"${key}` : key;
  if (key instanceof Date) return key.getTime();
  try {
    return structuralKey(key);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError('the key contains itself, or is too large') : error;
  }
}

function structuralKey(key: object): string {
  let parts = 0;
  return JSON.stringify(key, (_, part: unknown) => {
    parts += 1;
    if (parts > MAX_PARTS) throw new RangeError();
    if (typeof part === 'string') return `"${part}`;
    if (typeof part === 'number' && !Number.isFinite(part)) return String(part); // each would be written as null
    return typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}

/**
 * Removes duplicates (the best is kept), then the too low, then all but the top. Given = selected + left out.
 *
 * @param ordered all rows, best first
 */
export function selectRows(keys: RowKeys, totals: Float64Array, ordered: () => Int32Array): RowSelection {
  if (keys.duplicates === undefined && keys.minScore === undefined) return cutToTop(keys, totals, ordered);
  const left: UnselectedRow[] = [];
  const seen = new Map<unknown, number>();
  const kept = ordered().filter((row) => {
    const key = keys.duplicates?.(row);
    const first = key === undefined ? undefined : seen.get(key);
    if (first !== undefined) {
      left.push({ row, reason: 'duplicate', keptRow: first });
      return false;
    }
    if (key !== undefined) seen.set(key, row);
    if (keys.minScore === undefined || totals[row]! >= keys.minScore) return true;
    left.push({ row, reason: 'min_score' });
    return false;
  });
  const top = keys.top ?? kept.length;
  for (const row of kept.subarray(top)) left.push({ row, reason: 'top' });
  return { rows: kept.subarray(0, top), topOnly: false, left: () => left };
}

/** The common case: where only the score decides, the rows that are cut need not be sorted. */
function cutToTop({ top, ties }: RowKeys, totals: Float64Array, ordered: () => Int32Array): RowSelection {
  const rows =
    top === undefined || ties
      ? prefixOf(ordered(), Math.min(top ?? totals.length, totals.length))
      : topRows(totals, top);
  const left = (): UnselectedRow[] => Array.from(ordered().subarray(rows.length), (row) => ({ row, reason: 'top' }));
  return { rows, topOnly: true, left };
}
