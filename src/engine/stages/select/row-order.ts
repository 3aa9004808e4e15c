import { randomAt } from '../../../base/index.js';
import { failRun, tieName } from '../../failures.js';
import { sortRows } from '../../kernel/top-rows.js';
import type { Plan } from '../../plan.js';
import type { Evaluation } from '../../run-state.js';
import type { CompiledKey, RowKey } from './select-plan.js';

/**
 * All rows in the profile's order: by descending score, then by `ties`, then by position in the input, or at random if
 * the run has a seed. Sorted on the first
 * call, which may be after the run. A stream applies the same order in `TopKCollector` (`src/pipeline/collector.ts`).
 */
export function rowOrder(plan: Plan, evaluation: Evaluation): () => Int32Array {
  let rows: Int32Array | undefined;
  const { totals, context } = evaluation;
  return () => (rows ??= plan.current.enter(context, () => sortWithTies(totals, tieKeys(plan, evaluation))));
}

function sortWithTies(totals: Float64Array, ties: TieKeys): Int32Array {
  const rows = sortRows(totals);
  if (!ties) return rows;
  const columns = ties.map((key) => (key ? Array.from(totals, (_, row) => key(row)) : undefined));
  return rows.sort((a, b) => {
    if (totals[a] !== totals[b]) return totals[b]! - totals[a]!;
    return compareTied(columns, a, b);
  });
}

/**
 * Compares two rows of equal score: by the first key that differs, else by position.
 *
 * @param columns by tie-breaker: the key of each row; undefined for the position
 */
export function compareTied(columns: readonly (readonly unknown[] | undefined)[], a: number, b: number): number {
  for (const column of columns) {
    const difference = column ? compareKeys(column[a], column[b]) : a - b;
    if (difference !== 0) return difference;
  }
  return a - b;
}

/** The tie-breakers of a profile, as functions of a row. An undefined key is the position in the input. */
type TieKeys = readonly (RowKey | undefined)[] | undefined;

export function tieKeys(plan: Plan, evaluation: Evaluation): TieKeys {
  const { ties, seed } = plan.select;
  const keys = ties?.map((key, n) => key && rowKey(plan, evaluation, tieName(n), key));
  if (seed === undefined) return keys;
  const { kept, rows } = evaluation;
  return [...(keys ?? []), (r) => randomAt(seed, kept[rows?.[r] ?? r]!)];
}

/** An expression of scored candidates, by row of the ranking. */
export function rowKey(plan: Plan, evaluation: Evaluation, what: string, key: CompiledKey): RowKey {
  const { candidates, kept, rows, totals, context } = evaluation;
  const at = plan.columnReader.readerOf(candidates);
  return (r) => {
    const row = rows?.[r] ?? r;
    context.score = totals[r]!;
    const position = kept[row]!;
    try {
      return key(at(position), row);
    } catch (error) {
      return failRun(what, 'select', error, position);
    }
  };
}

/**
 * The sizes of the groups of rows that are ordered only by their position in the input: rows with the same score and the
 * same `ties`. In the order of the rows, best first. Their sum is the number of rows.
 */
export function tieSizes(plan: Plan, evaluation: Evaluation, ordered: Int32Array): Int32Array {
  const { totals, context } = evaluation;
  const keys = plan.current.enter(context, () => {
    const given = tieKeys(plan, evaluation) ?? [];
    const byPosition = given.indexOf(undefined);
    return (byPosition < 0 ? given : given.slice(0, byPosition)).flatMap((key) =>
      key ? [Array.from(totals, (_, row) => key(row))] : [],
    );
  });
  const isTied = (a: number, b: number): boolean =>
    totals[a] === totals[b] && keys.every((column) => compareKeys(column[a], column[b]) === 0);
  const sizes: number[] = [];
  for (const [k, row] of ordered.entries()) {
    if (k > 0 && isTied(ordered[k - 1]!, row)) sizes[sizes.length - 1]! += 1;
    else sizes.push(1);
  }
  return Int32Array.from(sizes);
}

const KIND_ORDER = ['number', 'string', 'boolean', 'object'];

/** Compares two keys. Order: numbers, NaN, strings, booleans, anything else (all equal), absent. */
export function compareKeys(a: unknown, b: unknown): number {
  if (typeof a !== typeof b) return kindRank(a) - kindRank(b);
  // Not their difference, which is NaN for two infinities.
  if (typeof a === 'number' && typeof b === 'number') {
    return a < b ? -1 : a > b ? 1 : Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  }
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'boolean' ? Number(a) - Number(b) : 0;
}

const kindRank = (key: unknown): number => (key === undefined ? KIND_ORDER.length : KIND_ORDER.indexOf(typeof key));
