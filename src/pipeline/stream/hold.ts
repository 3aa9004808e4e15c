import type { Budget } from '../../stages/budget.js';
import { Failures } from '../../stages/failures.js';
import { andThen, type Soon } from '../../stages/wait.js';
import { judge } from '../judge.js';
import type { Outcome } from '../outcome.js';
import { conclude } from '../run.js';
import { batchIn, type StreamRun } from './stream-run.js';

/**
 * Ranks what is held of a stream, once more and as a set of its own: its scores are those of the stream, because every
 * entry judges a candidate alone.
 *
 * @param candidates in the order of the stream
 */
export function rankHeld(run: StreamRun, candidates: readonly unknown[], budget: Budget | undefined): Soon<Outcome> {
  const { plan, failures } = run;
  const batch = batchIn(run, candidates);
  // What fails now was counted before.
  return andThen(judge(plan, batch, new Failures()), (judged) => conclude(plan, judged, budget, batch, failures));
}
