import { budgetOf, type CompiledProfile, Failures } from '../../engine/index.js';
import type { RankStreamOptions } from '../../stream/rank-stream.js';
import type { StreamRun } from '../../stream/stream-run.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import type { FoundExtremes } from '../extremes/find-extremes.js';
import { finishSieve } from './finish-sieve.js';
import { finishPruned } from './finish-pruned.js';
import { finishScaled } from './finish-scaled.js';
import { finishSet } from './finish-set.js';
import { setReason } from '../statement/set-reason.js';
import type { Sieved } from './sieved.js';
import type { Sieve } from '../statement/statement.js';

/** How many of the most promising rows are judged at first, where pruning finishes in process; and how fast that grows. */
export const firstPromising = (count: number): number => Math.max(4096, 64 * count);
export const GROWTH = 8;

/**
 * Makes the ranking of what a statement gave, in the way that the profile needs.
 *
 * @returns undefined where more of the most promising rows are needed
 */
export async function finishRows(
  compiled: CompiledProfile,
  run: StreamRun,
  { isComplete }: Sieve,
  sieved: Sieved,
  options: RankStreamOptions,
  extremes: FoundExtremes | undefined,
): Promise<TopRanking<object> | undefined> {
  const { plan } = run;
  if (extremes) return finishScaled(isolated(run), sieved, extremes, budgetOf(plan, options.budget));
  if (setReason(plan.profile) !== undefined) return finishSet(compiled, run, sieved, options);
  const budget = budgetOf(plan, options.budget);
  if (plan.secondPhase?.how === 'prune' && !isComplete) return finishPruned(isolated(run), sieved, budget);
  return finishSieve(isolated(run), sieved, budget);
}

/** The same run with failures of its own: what is given up, or done again, must not be counted twice. */
function isolated(run: StreamRun): StreamRun {
  const failures = new Failures();
  failures.addAll(run.failures.entries);
  return { ...run, failures };
}
