import type { CompiledAmount } from '../stages/adjust.js';
import { order, type RowKey, select } from '../stages/select.js';
import { failing } from './compile/bind.js';
import type { Plan } from './compile/plan.js';
import type { Judgement, Outcome } from './outcome.js';

/** The rows in order, and which of them are selected. */
export type Chosen = Pick<Outcome, 'ordered' | 'selected'>;

/** Order and cut, by the profile's `select`. */
export function choose(plan: Plan, judged: Judgement): Chosen {
  const { state, totals } = judged;
  const { duplicates, minScore, ties: keys, top } = plan.select;
  plan.cell.state = state;
  const ties = keys?.map((key) => key && keyed(judged, 'ties', key));
  let rows: Int32Array | undefined;
  const ordered = (): Int32Array => {
    if (rows) return rows;
    plan.cell.state = state;
    return (rows = order(totals, ties));
  };
  const selected = select(
    { duplicates: duplicates && keyed(judged, 'duplicates', duplicates), minScore, ties, top },
    totals,
    ordered,
  );
  return { ordered, selected };
}

/** An expression of scored candidates, by row of the ranking. */
export function keyed({ candidates, kept, rows, totals, state }: Judgement, what: string, key: CompiledAmount): RowKey {
  return (r) => {
    const row = rows?.[r] ?? r;
    state.score = totals[r]!;
    return failing(what, 'select', () => key(candidates[kept[row]!], row));
  };
}
