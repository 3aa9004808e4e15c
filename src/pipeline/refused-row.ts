import { judgeOf, refusalOf } from '../matrix/verdict.js';
import type { Plan } from './compile/plan.js';
import { refusalReason } from './explain/refusal-reason.js';
import type { Placed, Refused } from './rows.js';
import type { Judgement } from './outcome.js';

/** One refusal, whose reason is made when it is read. */
function refusal(plan: Plan, judged: Judgement, position: number, verdict: number): Refused<unknown>['all'][number] {
  let reason: string | undefined;
  return {
    kind: refusalOf(verdict),
    by: plan.judges[judgeOf(verdict)] ?? 'combine',
    get reason() {
      reason ??= refusalReason(plan, judged, position, verdict);
      return reason;
    },
  };
}

/**
 * A candidate that was refused.
 *
 * @param position its place among the candidates that were judged together
 * @param verdicts all that were passed on it
 */
export function refusedRow<T>(
  plan: Plan,
  judged: Judgement,
  position: number,
  placed: Placed<T>,
  verdicts: readonly number[],
): Refused<T> {
  const all = verdicts.map((verdict) => refusal(plan, judged, position, verdict));
  const first = all[0]!;
  return Object.freeze({
    ...placed,
    kind: first.kind,
    by: first.by,
    get reason() {
      return first.reason;
    },
    all,
  });
}
