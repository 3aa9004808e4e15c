import { toAssizeError } from '../diagnostics/to-assize-error.js';
import { indexIn } from '../engine/kernel/run-buffers.js';
import type { Plan } from '../engine/plan.js';
import { evaluateCandidates } from '../engine/run.js';
import type { Evaluation, RunState } from '../engine/run-state.js';
import { rowOrder } from '../engine/stages/select/select.js';
import { chain, type MaybeAsync } from '../engine/task.js';
import { placedAt, rankedRow, refusedRow } from './candidate-row.js';
import type { Ranked, Refused } from './rows.js';

/** Evaluates the candidates of a run; gives the row of the one at a position. */
export const scoreOne =
  <T>(index: number) =>
  (run: RunState): MaybeAsync<Ranked<T> | Refused<T>> =>
    chain(evaluateCandidates(run), (evaluation) => rowOf<T>(run.plan, evaluation, index));

/** @throws AssizeError where it is pinned: that is not scored */
function rowOf<T>(plan: Plan, evaluation: Evaluation, index: number): Ranked<T> | Refused<T> {
  const { verdicts, vetoes, kept, rows, totals } = evaluation;
  const verdict = verdicts[index]!;
  if (verdict !== 0) {
    const all = vetoes.all?.get(index) ?? [verdict];
    return refusedRow(plan, evaluation, index, placedAt<T>(plan, evaluation, index), all);
  }
  const scoredRow = indexIn(kept, index);
  if (scoredRow < 0) throw toAssizeError([{ code: 'ASZ502', message: 'a pinned candidate is not scored' }]);
  const row = rows ? indexIn(rows, scoredRow) : scoredRow;
  const rank = totals.length === 1 ? 1 : rowOrder(plan, evaluation)().indexOf(row) + 1;
  return rankedRow(plan, evaluation, row, rank);
}
