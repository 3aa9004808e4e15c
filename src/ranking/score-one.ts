import { toAssizeError } from '../diagnostics/index.js';
import {
  chain,
  evaluateCandidates,
  type Evaluation,
  indexIn,
  type MaybeAsync,
  type Plan,
  rowOrder,
  type RunState,
} from '../engine/index.js';
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
