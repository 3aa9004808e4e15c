import { order, select } from '../../stages/select.js';
import { Failures } from '../../stages/failures.js';
import type { Budget } from '../../stages/budget.js';
import { arrange } from '../arrange.js';
import { judge, keyed, noReports, once, type Outcome } from '../run.js';
import { batchIn, type StreamRun } from './stream-run.js';

/**
 * Ranks what is held of a stream, once more and as a set of its own: its scores are those of the stream, because every
 * entry judges a candidate alone.
 *
 * @param candidates in the order of the stream
 */
export async function rankHeld(
  run: StreamRun,
  candidates: readonly unknown[],
  budget: Budget | undefined,
): Promise<Outcome> {
  const { plan, failures } = run;
  const batch = batchIn(run, candidates);
  const judged = await judge(plan, batch, new Failures()); // what fails now was counted before
  const { totals } = judged;
  const ties = plan.select.ties?.map((key) => keyed(judged, 'ties', key));
  const ordered = once(() => {
    plan.cell.state = batch.state;
    return order(totals, ties);
  });
  const { minScore, top } = plan.select;
  plan.cell.state = batch.state;
  const selected = select({ duplicates: undefined, minScore, ties, top }, totals, ordered);
  const arranged =
    plan.pack || plan.place ? await arrange(plan, { ...judged, failures }, selected.rows, budget, batch) : undefined;
  return { ...judged, ordered, selected, arranged, fallback: undefined, reports: noReports, failures };
}
