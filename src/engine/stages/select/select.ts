import { idOf } from '../../candidates.js';
import { prefixOf } from '../../kernel/run-buffers.js';
import { topRows } from '../../kernel/top-rows.js';
import { refusalOf, refuses } from '../../kernel/veto-loop.js';
import type { Plan } from '../../plan.js';
import type { RunState } from '../../run-state.js';
import type { MaybeAsync, Task } from '../../tasks.js';
import type { BestAfter } from '../../tier-plans.js';
import { generateFor } from '../generate.js';
import { arrange, isFirstPage } from './arrange.js';
import { Contracts } from './contracts.js';
import { rowKey, rowOrder } from './row-order.js';
import {
  type CompiledKey,
  type FallbackChoice,
  perReason,
  type RowKey,
  type RowSelection,
  type RowsPerGroup,
  type UnselectedRow,
} from './select-plan.js';
import { leftByGroup, topOfGroups, valueKey } from './top-of-groups.js';

/** Orders and cuts, diversifies, packs and places. If nothing is selected, chooses the fallback. Most profiles only cut. */
export function select(run: RunState): MaybeAsync<void> {
  const { plan, pinned, totals } = run;
  const { duplicates, minScore, per, top, offset } = plan.select;
  const ordered = rowOrder(plan, run);
  run.contracts = Contracts.of(run);
  const groups = per && { by: rowKey(plan, run, 'per', comparable(per.by)), top: per.top };
  // If the diversify class enforces the group limits, this step does not: the class chooses which rows of a group to take.
  const keptByClass = plan.diversify?.keepsGroups ? groups : undefined;
  const keys = {
    duplicates:
      duplicates &&
      notBound(
        run,
        rowKey(plan, run, 'duplicates', (candidate, row) => valueKey(duplicates(candidate, row))),
      ),
    minScore,
    per: keptByClass ? undefined : groups,
    byPosition: plan.select.ties === undefined && plan.select.seed === undefined,
    top: plan.diversify ? undefined : top,
    offset,
    best: run.rows ? undefined : run.scored.best,
  };
  run.ordered = ordered;
  const selection = selectRows(keys, totals, ordered);
  // With `per`, `left()` evaluates its expression again, which needs the run's context.
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
  const needsFallback = plan.fallback.length > 0 && isFirstPage(plan) && run.selected.rows.length + pinned.length === 0;
  return isArranged(plan) || needsFallback ? arrangeOrFallBack(run, keptByClass) : undefined;
}

/** The rows that are not selected, with the reasons that hold after all steps. */
function settleGroups({ arrangement }: RunState, left: readonly UnselectedRow[]): readonly UnselectedRow[] {
  if (!arrangement) return left;
  const selected = new Set(arrangement.order.map(({ index }) => arrangement.rowOf.get(index)));
  return left.map((one) => {
    if (one.reason !== 'per' || !one.keptRows) return one;
    const { reason, data, kept } = perReason(one.data, one.keptRows, (row) => selected.has(row));
    return { row: one.row, reason, data, keptRows: kept };
  });
}

/** Whether a class chooses or orders the selected rows. */
const isArranged = ({ diversify, pack, place }: Plan): boolean => [diversify, pack, place].some(Boolean);

/** A key for duplicates that is absent for candidates which belong to others: without one of them, the others are not packed. */
function notBound({ contracts, kept, rows }: RunState, key: RowKey): RowKey {
  const bound = contracts?.bound;
  return bound && bound.size > 0 ? (row) => (bound.has(kept[rows?.[row] ?? row]!) ? undefined : key(row)) : key;
}

/** A key that throws if its value cannot be compared. */
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

/** The keys and limits of order and cut, in one run. */
interface RowKeys {
  /** Equal keys are the same value, so that a map can hold them. */
  readonly duplicates: RowKey | undefined;
  readonly minScore: number | undefined;
  readonly per: RowsPerGroup | undefined;
  /** Whether ties are broken by the position in the input alone. */
  readonly byPosition: boolean;
  readonly top: number | undefined;
  readonly offset: number;
  /** The best rows, if the loop has kept them. */
  readonly best: BestAfter | undefined;
}

/**
 * Removes, in this order: duplicates (keeping the best), rows below the minimum score, rows of full groups, rows before the
 * offset, and rows below the top. Given = selected + not selected.
 *
 * @param ordered all rows, best first
 */
function selectRows(keys: RowKeys, totals: Float64Array, ordered: () => Int32Array): RowSelection {
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
  const { duplicates, minScore, per, byPosition, top } = keys;
  if (duplicates === undefined && minScore === undefined && per === undefined) return cutToTop(keys, totals, ordered);
  const isSmall = top !== undefined && top < totals.length / 4;
  if (per && isSmall && !duplicates && byPosition) return topOfGroups({ per, minScore, top }, totals, ordered);
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

/** Whether the group of a row is full. If not, adds the row to it. */
function isFull(groups: Map<unknown, number[]>, value: unknown, row: number, most: number): boolean {
  if (value === undefined) return false;
  const key = valueKey(value);
  const group = groups.get(key);
  if (!group) groups.set(key, [row]);
  else if (group.length === most) return true;
  else group.push(row);
  return false;
}

/** The common case. If `ties` is not set, the rows below the top need not be sorted. */
function cutToTop({ top, byPosition, best }: RowKeys, totals: Float64Array, ordered: () => Int32Array): RowSelection {
  const rows =
    byPosition && top !== undefined
      ? best?.best.count === top
        ? bestRows(best)
        : topRows(totals, top)
      : prefixOf(ordered(), Math.min(top ?? totals.length, totals.length));
  const left = (): UnselectedRow[] => Array.from(ordered().subarray(rows.length), (row) => ({ row, reason: 'top' }));
  return { rows, ranks: () => Int32Array.from(rows, (_, k) => k + 1), left };
}

/** The best rows of a loop, and of the rows before it. */
function bestRows({ best, sampled }: BestAfter): Int32Array {
  for (let row = 0; row < sampled; row++) best.enter(row);
  return best.rows;
}

/** The number of candidates that a veto refused. */
export const countVetoed = (verdicts: Uint16Array): number =>
  verdicts.reduce((n, v) => n + Number(refuses(v) && refusalOf(v) === 'veto'), 0);

/** Chooses the fallback: the first entry of the profile's list whose condition holds and that yields a candidate. */
function* chooseFallback(run: RunState): Task<FallbackChoice | undefined> {
  const { plan, context, candidates, verdicts, failures, abort } = run;
  const failed = verdicts.reduce((n, v) => n + Number(refuses(v) && refusalOf(v) === 'error'), 0);
  const strategies = plan.strategies.map((strategy) => strategy.id);
  context.counts = { generated: candidates.length, vetoed: countVetoed(verdicts), failed, strategies };
  for (const { when, use } of plan.fallback) {
    if (!when()) continue;
    const strategy = plan.strategies.find((one) => one.id === use);
    if (strategy) {
      try {
        const made = yield* generateFor(strategy, context, abort);
        if (made.length > 0) return { use, positions: [], made: made.slice(0, 1) };
      } catch (error) {
        abort.throwIfAborted();
        failures.add(use, 'fallback', error);
      }
      continue;
    }
    const position = candidates.findIndex((candidate, i) => idOf(plan.profile, candidate, i) === use);
    if (position >= 0) return { use, positions: [position], made: [] };
    failures.add(use, 'fallback', new Error('it is neither a strategy nor the id of a candidate'));
  }
  return undefined;
}
