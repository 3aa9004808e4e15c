import type { CostedRow, SelectorLeftOut } from '../../../contract/index.js';
import { describeValue, toAssizeError } from '../../../diagnostics/index.js';
import { type BoundExpression, ExpressionStepsError } from '../../../expression/index.js';
import type { PackEntry } from '../../../profile/index.js';
import { causeOf, type Failures } from '../../failures/failures.js';
import { RunFailed } from '../../failures/run-errors.js';
import { withSelectReasons } from './left-out-reasons.js';
import type { RowView, UncostedRow } from './row-view.js';

/** The rows to pack, the pinned first; and those that cannot be packed, because their cost is not known. */
export interface PackCandidates {
  readonly rows: readonly CostedRow[];
  readonly unusable: readonly SelectorLeftOut[];
}

/** The cost of a row, or why it is not known. */
type Cost = { readonly cost: number } | { readonly why: string; readonly error?: unknown };

/** The offered rows with their costs: 0 where nothing is packed. */
export function costedRows(
  view: RowView,
  offered: readonly UncostedRow[],
  pack: { readonly entry: PackEntry; readonly cost: BoundExpression } | undefined,
  failures: Failures,
): PackCandidates {
  const rows: CostedRow[] = [];
  const unusable: SelectorLeftOut[] = [];
  const costOf = pack && view.bind(pack.cost);
  for (const row of offered) {
    const { index, candidate, pinned } = row;
    const cost = costOf ? evaluateCost(() => costOf(candidate, index), pack.entry.cost.source) : { cost: 0 };
    if ('cost' in cost) {
      if (cost.cost < 0)
        unusable.push(withSelectReasons({ index, reason: 'negative_cost', data: { cost: cost.cost } }));
      else rows.push({ ...row, cost: cost.cost });
      continue;
    }
    if (pinned && pack) throw unknownCost(pack.entry, row.id, cost.why);
    if ('error' in cost) failures.add('cost', 'pack', cost.error);
    unusable.push(withSelectReasons({ index, reason: 'no_cost', data: { why: cost.why } }));
  }
  return { rows, unusable };
}

function evaluateCost(evaluate: () => unknown, source: string): Cost {
  try {
    const cost = evaluate();
    if (cost === undefined) return { why: `${source} is absent` };
    if (typeof cost === 'number' && Number.isFinite(cost)) return { cost };
    const error = new RangeError(`${source} is ${describeValue(cost)}; expected a number of at least 0`);
    return { why: error.message, error };
  } catch (error) {
    if (error instanceof ExpressionStepsError) throw new RunFailed('cost', 'pack', error);
    return { why: causeOf(error), error };
  }
}

/** A pinned candidate has to be in, and without its cost the budget would say nothing. */
function unknownCost({ place }: PackEntry, id: string, why: string): Error {
  const message = `the cost of the pinned candidate ${id} is not known: ${why}`;
  return toAssizeError([
    { code: 'ASZ510', message, path: 'select.pack.cost', place, hint: 'what is pinned has to be in: give it its cost' },
  ]);
}
