import { failure } from '../document/failure.js';
import { indexIn } from '../matrix/slab.js';
import { andThen } from '../stages/wait.js';
import type { Work } from './call.js';
import { choose } from './choose.js';
import type { Plan } from './compile/plan.js';
import type { Judgement } from './outcome.js';
import { placedAt, rankedRow } from './ranked-row.js';
import { refusedRow } from './refused-row.js';
import type { Ranked, Refused } from './rows.js';
import { judgeOnly } from './run.js';

/** Judges the candidates of a call; gives what became of the one at a position. */
export const scoreOne =
  <T>(index: number): Work<Ranked<T> | Refused<T>> =>
  (plan, call, learnt) =>
    andThen(judgeOnly(plan, call, learnt), (judged) => rowOf<T>(plan, judged, index));

/** @throws AssizeError where it is pinned: that is not scored */
function rowOf<T>(plan: Plan, judged: Judgement, index: number): Ranked<T> | Refused<T> {
  const { verdicts, vetoed, kept, rows, totals } = judged;
  const verdict = verdicts[index]!;
  if (verdict !== 0) {
    const all = vetoed.all?.get(index) ?? [verdict];
    return refusedRow(plan, judged, index, placedAt<T>(plan, judged, index), all);
  }
  const scoredRow = indexIn(kept, index);
  if (scoredRow < 0) throw failure([{ code: 'ASZ502', message: 'a pinned candidate is not scored' }]);
  const row = rows ? indexIn(rows, scoredRow) : scoredRow;
  const rank = totals.length === 1 ? 1 : choose(plan, judged).ordered().indexOf(row) + 1;
  return rankedRow(plan, judged, row, rank);
}
