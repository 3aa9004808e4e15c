import type { Plan } from '../../plan.js';
import { tieName } from '../../failures/entry-location.js';
import { failRun } from '../../failures/run-errors.js';
import type { Evaluation, RunState } from '../../run-state.js';
import type { MaybeAsync, Task } from '../../tasks/task.js';
import { arrange } from './arrange.js';
import { chooseFallback } from './fallback.js';
import { isFirstPage } from './pages.js';
import { perReason } from './left-out-reasons.js';
import { compareKeys, order, selectRows } from './select-rows.js';
import type { CompiledKey, RowKey, RowsPerGroup, UnselectedRow } from './types.js';
import { valueKey } from './value-key.js';

/** Orders and cuts, diversifies, packs and places; where nothing is selected, chooses the fallback. Most profiles only cut. */
export function select(run: RunState): MaybeAsync<void> {
  const { plan, pinned, totals } = run;
  const { duplicates, minScore, per, top, offset } = plan.select;
  const ordered = rowOrder(plan, run);
  const groups = per && { by: rowKey(plan, run, 'per', comparable(per.by)), top: per.top };
  // A diversifying class that keeps group limits is offered every row: which ones of a group it takes is not known before.
  const keptByClass = plan.diversify?.keepsGroups ? groups : undefined;
  const keys = {
    duplicates: duplicates && rowKey(plan, run, 'duplicates', (candidate, row) => valueKey(duplicates(candidate, row))),
    minScore,
    per: keptByClass ? undefined : groups,
    ties: tieKeys(plan, run),
    top: plan.diversify ? undefined : top,
    offset,
  };
  run.ordered = ordered;
  const selection = selectRows(keys, totals, ordered);
  // The group of a row is computed once more where the rows that were left out are listed.
  run.selected = keys.per
    ? {
        ...selection,
        left: () =>
          settleGroups(
            run,
            plan.current.enter(run.context, () => selection.left()),
          ),
      }
    : selection;
  const isEmpty = isFirstPage(plan) && run.selected.rows.length + pinned.length === 0;
  return isArranged(plan) || (isEmpty && plan.fallback.length > 0) ? arrangeOrFallBack(run, keptByClass) : undefined;
}

/** The rows that are not selected, with the reasons that are true after all steps. */
function settleGroups({ arrangement }: RunState, left: readonly UnselectedRow[]): readonly UnselectedRow[] {
  if (!arrangement) return left;
  const selected = new Set(arrangement.order.map(({ index }) => arrangement.rowOf.get(index)));
  return left.map((one) => {
    if (one.reason !== 'per' || !one.keptRows) return one;
    const { reason, data, kept } = perReason(one.data, one.keptRows, (row) => selected.has(row));
    return { row: one.row, reason, data, keptRows: kept };
  });
}

/** Whether a class chooses or orders what is selected. */
const isArranged = ({ diversify, pack, place }: Plan): boolean => [diversify, pack, place].some(Boolean);

/** A key that fails where its value cannot be compared. */
const comparable =
  (key: CompiledKey): CompiledKey =>
  (candidate, row) => {
    const value = key(candidate, row);
    valueKey(value);
    return value;
  };

function* arrangeOrFallBack(run: RunState, groups: RowsPerGroup | undefined): Task<void> {
  const { plan, selected, pinned } = run;
  if (isArranged(plan)) run.arrangement = yield* arrange(run, groups);
  const count = run.arrangement ? run.arrangement.order.length : selected.rows.length + pinned.length;
  if (count === 0) run.fallback = yield* chooseFallback(run);
}

/** All rows in the profile's order, best first: sorted when first read, which may be after the run. */
export function rowOrder(plan: Plan, evaluation: Evaluation): () => Int32Array {
  let rows: Int32Array | undefined;
  const { totals, context } = evaluation;
  return () => (rows ??= plan.current.enter(context, () => order(totals, tieKeys(plan, evaluation))));
}

/**
 * The sizes of the groups of rows that only their position in the input orders: equal in score and in the profile's `ties`.
 * In the order of the rows, best first; their sum is the number of rows.
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

/** The keys that order rows of equal score; an undefined one is the position in the input. */
export const tieKeys = (plan: Plan, evaluation: Evaluation): readonly (RowKey | undefined)[] | undefined =>
  plan.select.ties?.map((key, n) => key && rowKey(plan, evaluation, tieName(n), key));

/** An expression of scored candidates, by row of the ranking. */
function rowKey(plan: Plan, evaluation: Evaluation, what: string, key: CompiledKey): RowKey {
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
