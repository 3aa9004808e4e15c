import { orFailRun } from '../../compile/binder.js';
import type { Plan } from '../../plan.js';
import type { Evaluation, RunResult } from '../../run-result.js';
import type { CompiledAmount } from '../adjust/adjust.js';
import { order, type RowKey, select } from './select.js';

/** The rows in order, and which of them are selected. */
export type Choice = Pick<RunResult, 'ordered' | 'selected'>;

/** Order and cut, by the profile's `select`. */
export function chooseRows(plan: Plan, judged: Evaluation): Choice {
  const { context, totals } = judged;
  const { duplicates, minScore, ties: keys, top } = plan.select;
  plan.current.context = context;
  const ties = keys?.map((key) => key && rowKey(judged, 'ties', key));
  let rows: Int32Array | undefined;
  const ordered = (): Int32Array => {
    if (rows) return rows;
    plan.current.context = context;
    return (rows = order(totals, ties));
  };
  const selected = select(
    { duplicates: duplicates && rowKey(judged, 'duplicates', duplicates), minScore, ties, top },
    totals,
    ordered,
  );
  return { ordered, selected };
}

/** An expression of scored candidates, by row of the ranking. */
export function rowKey(
  { candidates, kept, rows, totals, context }: Evaluation,
  what: string,
  key: CompiledAmount,
): RowKey {
  return (r) => {
    const row = rows?.[r] ?? r;
    context.score = totals[r]!;
    return orFailRun(what, 'select', () => key(candidates[kept[row]!], row));
  };
}
