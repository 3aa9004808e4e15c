import type { CostedRow, GroupLimit, SelectorNotSelected, SelectorResult } from '../../../sdk/index.js';
import { describeValue } from '../../../base/index.js';
import { TopPerGroup } from '../../kernel/top-rows.js';
import { type RowSelection, type RowsPerGroup, type UnselectedRow, withSelectReasons } from './select-plan.js';

/**
 * Selects the top with a limit per group, if only the score decides. Rows that cannot be selected are not sorted until they
 * are listed.
 */
export function topOfGroups(
  { per, minScore = Number.NEGATIVE_INFINITY, top }: { per: RowsPerGroup; minScore: number | undefined; top: number },
  totals: Float64Array,
  ordered: () => Int32Array,
): RowSelection {
  const best = new TopPerGroup(top, per.top);
  const failures = new Map<number, unknown>();
  for (let row = 0; row < totals.length; row++) {
    const total = totals[row]!;
    // An equal score later in the input does not enter.
    if (!(total >= minScore && total > best.minCompetitiveScore)) continue;
    let group: unknown;
    try {
      group = valueKey(per.by(row));
    } catch (error) {
      failures.set(row, error); // matters only if the row stays in the top
    }
    best.add({ total, row, group });
  }
  const rows = Int32Array.from(best.rows, ({ row }) => row);
  const failed = failures.size === 0 ? undefined : rows.find((row) => failures.has(row));
  if (failed !== undefined) throw failures.get(failed);
  return { rows, ranks: () => ranksOf(totals, rows), left: () => leftOf(per, minScore, top, totals, rows, ordered()) };
}

/** The rows that are not selected, with reasons. Before the last selected row their groups are full; after it they are below the top. */
function leftOf(
  per: RowsPerGroup,
  minScore: number,
  top: number,
  totals: Float64Array,
  selected: Int32Array,
  ordered: Int32Array,
): readonly UnselectedRow[] {
  const left: UnselectedRow[] = [];
  const groups = new Map<unknown, number[]>();
  let next = 0;
  for (const row of ordered) {
    if (row === selected[next]) {
      next += 1;
      const key = valueKey(per.by(row));
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    } else if (!(totals[row]! >= minScore)) left.push({ row, reason: 'min_score' });
    else if (next === top) left.push({ row, reason: 'top' });
    else {
      const value = per.by(row);
      left.push(leftByGroup(row, value, groups.get(valueKey(value))!));
    }
  }
  return left;
}

/**
 * The ranks of some rows among all rows, from 1, by counting the rows before each. Only rows that score at least as much as
 * the last one are looked up. O(N + m log k).
 *
 * @param rows best first
 */
function ranksOf(totals: Float64Array, rows: Int32Array): Int32Array {
  const ranks = new Int32Array(rows.length);
  const last = rows.at(-1);
  if (last === undefined) return ranks;
  for (let row = 0; row < totals.length; row++) {
    const total = totals[row]!;
    if (total < totals[last]!) continue;
    // Binary search for the first of the rows that is this row or comes after it.
    let low = 0;
    for (let high = rows.length; low < high; ) {
      const middle = (low + high) >>> 1;
      const other = totals[rows[middle]!]!;
      if (other > total || (other === total && rows[middle]! < row)) low = middle + 1;
      else high = middle;
    }
    if (low < rows.length) ranks[low]! += 1;
  }
  for (let k = 1; k < ranks.length; k++) ranks[k]! += ranks[k - 1]!;
  return ranks;
}

/** A row that is not selected because its group is full. */
export const leftByGroup = (row: number, value: unknown, keptRows: readonly number[]): UnselectedRow => ({
  row,
  reason: 'per',
  keptRows,
  data: { top: keptRows.length, group: groupText(value) },
});

/** The value of a group, for a text. */
function groupText(value: unknown): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return describeValue(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}

/** `select.per`, if a diversifying class enforces it: the limit, and the reason of each row whose group is full. */
export class OfferedGroups implements GroupLimit {
  readonly most: number;
  /** By position in the input. Rows without a group are missing. */
  readonly #groups = new Map<number, { readonly value: unknown; readonly key: unknown }>();

  /** @param rowOf the rows of the ranking that are offered, by position in the input */
  constructor({ by, top }: RowsPerGroup, rowOf: ReadonlyMap<number, number>) {
    this.most = top;
    for (const [index, row] of rowOf) {
      const value = by(row);
      if (value !== undefined) this.#groups.set(index, { value, key: valueKey(value) });
    }
  }

  /** A property, not a method, because classes destructure it from the limits. */
  readonly of = ({ index }: Pick<CostedRow, 'index'>): unknown => this.#groups.get(index)?.key;

  /** The result of the class, with the reason `per` for each row of a full group. */
  withReasons(chosen: SelectorResult): SelectorResult {
    const members = new Map<unknown, number[]>();
    for (const { index, pinned } of chosen.kept) {
      const group = pinned ? undefined : this.#groups.get(index);
      if (!group) continue;
      const others = members.get(group.key);
      if (others) others.push(index);
      else members.set(group.key, [index]);
    }
    const left = chosen.left.map((one): SelectorNotSelected => {
      const group = this.#groups.get(one.index);
      const others = group && members.get(group.key);
      if (!group || others?.length !== this.most) return one;
      const data = { top: this.most, group: groupText(group.value) };
      return withSelectReasons({ index: one.index, reason: 'per', data, replacedBy: others });
    });
    return { ...chosen, left };
  }
}

/** The maximum number of lists, maps and values in a key: a small expression can build a huge list. */
const MAX_PARTS = 100_000;

/**
 * A key that compares by value. Lists and maps are equal if their parts are equal; they never equal a text.
 *
 * @throws RangeError if the key contains itself or has too many parts
 */
export function valueKey(key: unknown): unknown {
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
    if (typeof part === 'bigint') return `${part}n`; // JSON has no form for it
    if (typeof part === 'number' && !Number.isFinite(part)) return String(part); // JSON would write null
    return typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}
