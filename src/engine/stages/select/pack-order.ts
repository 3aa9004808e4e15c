import type { CostedRow } from '../../../sdk/index.js';
import { toMillis } from '../../../expression/index.js';
import { failRun } from '../../failures.js';
import type { RowBinder } from './costed-rows.js';
import { compareKeys } from './row-order.js';
import type { CompiledOrder } from './select-plan.js';

/** The packed rows in the order of `select.pack.order`. Rows with equal keys are in the order of the input. */
export function packOrder(order: CompiledOrder, rows: readonly CostedRow[], view: RowBinder): readonly CostedRow[] {
  if (order === 'score') return rows;
  const evaluate = order === 'input' ? undefined : view.bind(order.evaluate);
  const isTime = order !== 'input' && order.isTime;
  const keyed = rows.map((row) => {
    try {
      const value = evaluate?.(row.candidate, row.index) ?? undefined;
      return { row, key: isTime && value !== undefined ? toMillis(value) : value };
    } catch (error) {
      return failRun('order', 'pack', error, row.index);
    }
  });
  return keyed.sort((a, b) => compareKeys(a.key, b.key) || a.row.index - b.row.index).map(({ row }) => row);
}
