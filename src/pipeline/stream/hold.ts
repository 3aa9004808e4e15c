import type { Budget } from '../../stages/budget.js';
import { Failures } from '../../stages/failures.js';
import { isSteps, type Steps } from '../../stages/wait.js';
import { type Arranged, arrange } from '../arrange.js';
import { choose } from '../choose.js';
import { judge } from '../judge.js';
import type { Outcome } from '../outcome.js';
import { noReports } from '../run.js';
import { batchIn, type StreamRun } from './stream-run.js';

/**
 * Ranks what is held of a stream, once more and as a set of its own: its scores are those of the stream, because every
 * entry judges a candidate alone.
 *
 * @param candidates in the order of the stream
 */
export function* rankHeld(run: StreamRun, candidates: readonly unknown[], budget: Budget | undefined): Steps<Outcome> {
  const { plan, failures } = run;
  const batch = batchIn(run, candidates);
  const soon = judge(plan, batch, new Failures()); // what fails now was counted before
  const judged = isSteps(soon) ? yield* soon : soon;
  const chosen = choose(plan, judged);
  let arranged: Arranged | undefined;
  if (plan.pack || plan.place) {
    arranged = yield* arrange(plan, judged, chosen.selected.rows, budget, batch, failures);
  }
  return { ...judged, ...chosen, arranged, fallback: undefined, reports: noReports, failures };
}
