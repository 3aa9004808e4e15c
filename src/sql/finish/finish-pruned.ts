import { type Budget, chain, type Evaluation, evaluatePart, finish, refuserOf } from '../../engine/index.js';
import {
  columnStats,
  leftOutCounts,
  type LeftOutCount,
  NONE_RESCALED,
  type Pruned,
  type Ranking,
} from '../../ranking/index.js';
import { retainedCount } from '../../stream/memory-bound.js';
import { completePart, type StreamRun } from '../../stream/stream-run.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import { rankingOfChosen } from './chosen-ranking.js';
import { checkVerdict } from './check-verdict.js';
import { ofSomeRows } from './finish-sieve.js';
import { ODD } from '../stages/verdict-steps.js';
import { setState } from '../set-state.js';
import type { SieveResult } from '../statement/sieve-rows.js';
import { decodeChosen, type Sieved } from './sieved.js';

/**
 * Finishes by pruning, as a ranking of all rows in this process would: expensive scorers are asked of the most promising
 * rows only. The scorers that SQL does not know are asked as often as there, where enough rows are given at once.
 *
 * @returns undefined where a row that was not given may still be among the best
 */
export async function finishPruned(
  run: StreamRun,
  sieved: Sieved,
  budget: Budget | undefined,
): Promise<TopRanking<object> | undefined> {
  const { result } = sieved;
  const state = setState(run, decodeChosen(sieved), budget);
  const retained = await completePart(run, () => chain(evaluatePart(state), () => finish(state)));
  const best = retained.totals.toSorted((a, b) => b - a)[retainedCount(run.plan) - 1] ?? -Infinity;
  const bar = Math.max(best, run.plan.select.minScore ?? -Infinity);
  if (result.next >= bar && result.next > -Infinity) return undefined;
  for (const [position, row] of result.chosen.entries())
    checkVerdict(run.plan, row, retained.verdicts[position]!, true);
  return rankingOfChosen(run.plan, sieved, retained, {
    columns: columnStats(run.plan, retained).map(ofSomeRows),
    rescaled: NONE_RESCALED,
    pruned: (ranking) => {
      return { facts: prunedFacts(run, result, retained, ranking), leftOut: leftOutOf(result, ranking) };
    },
  });
}

/** How many rows that pass what SQL knows are not among the chosen. */
function outside({ counts, chosen }: SieveResult, isOne: (verdict: number) => boolean): number {
  let count = 0;
  for (const [verdict, many] of counts) if (verdict !== ODD && isOne(verdict)) count += many;
  return count - chosen.filter(({ verdict }) => verdict !== ODD && isOne(verdict)).length;
}

function prunedFacts(
  { plan }: StreamRun,
  result: SieveResult,
  { kept }: Evaluation,
  ranking: Ranking<object>,
): Pruned | undefined {
  const ids = plan.secondPhase?.ask ?? [];
  // Those that a scorer or a rule refuses were given to the scorers, too.
  const more = outside(result, (verdict) => verdict === 0 || refuserOf(verdict) >= plan.score.firstRefuser);
  const { exact, entries } = ranking.pruned ?? {
    exact: true,
    entries: ids.map((entry) => ({ entry, asked: kept.length, pruned: 0 })),
  };
  const all = entries.map((one) => ({ ...one, pruned: one.pruned + more }));
  return all.some(({ pruned }) => pruned > 0) ? { exact, entries: all } : undefined;
}

/** What was left out, by reason: of the chosen as pruning has it, and the rows that were never given. */
function leftOutOf(result: SieveResult, ranking: Ranking<object>): readonly LeftOutCount[] {
  const counts = new Map(leftOutCounts(ranking.leftOut).map(({ reason, count }) => [reason, count]));
  // The rows below the limit are the least promising: none of them was given before all others were.
  const left = outside(result, (verdict) => verdict === 0);
  const given = (result.counts.get(0) ?? 0) - left;
  const beyond = Math.max(0, (result.counts.get(0) ?? 0) - result.below - given);
  const below = left - beyond;
  const lowest = counts.get('below_min_score') ?? 0;
  counts.delete('below_min_score'); // the least promising come last
  if (beyond > 0) counts.set('out_of_reach', (counts.get('out_of_reach') ?? 0) + beyond);
  if (lowest + below > 0) counts.set('below_min_score', lowest + below);
  return Array.from(counts, ([reason, count]: readonly [string, number]) => ({ reason, count }));
}
