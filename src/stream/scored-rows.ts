import { idOf } from '../engine/candidate-id.js';
import type { Plan } from '../engine/plan.js';
import type { Evaluation } from '../engine/run-state.js';
import { refusedRow } from '../ranking/candidate-row.js';
import type { Placed, Refused, Scored } from '../ranking/rows.js';

/**
 * A row for each candidate of a part that was judged, in their order.
 *
 * @param offset how many candidates came before it
 */
export function* scoredRows<T>(
  plan: Plan,
  judged: Evaluation,
  offset: number,
): Generator<Scored<T> | Refused<T>, void> {
  const { candidates, verdicts, vetoes, kept, totals, scored } = judged;
  const of = scored.scoring.active.length;
  // The row of Tier 2, and that of the ranking: both go up with the position.
  let row = 0;
  let r = 0;
  for (const [position, candidate] of candidates.entries()) {
    const index = offset + position;
    const placed: Placed<T> = { id: idOf(plan.profile, candidate, index), index, candidate: candidate as T };
    const wasKept = kept[row] === position;
    const verdict = verdicts[position]!;
    if (verdict !== 0) {
      yield refusedRow(plan, judged, position, placed, vetoes.all?.get(position) ?? [verdict]);
    } else if (!wasKept) {
      yield Object.freeze({ ...placed, score: undefined, because: 'pinned' as const });
    } else {
      const present = scored.partial.get(row);
      const score = totals[r++]!;
      yield Object.freeze({ ...placed, score, ...(present !== undefined && { partial: { present, of } }) });
    }
    if (wasKept) row += 1;
  }
}
