import { chain, type CompiledProfile, executeCall, run as runWhole, runAsync } from '../../engine/index.js';
import { columnStats, leftOutCounts, rescaledScores } from '../../ranking/index.js';
import type { RankStreamOptions } from '../../stream/rank-stream.js';
import type { StreamRun } from '../../stream/stream-run.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import { sharedRunOf, wholeCall } from '../../workers/index.js';
import { rankingOfChosen } from './chosen-ranking.js';
import { checkVerdict } from './check-verdict.js';
import { decodeChosen, type Sieved } from './sieved.js';

/**
 * Ranks the rows that SQL has not refused as one set, as a ranking of all rows in this process would: what compares
 * candidates with each other sees those that the vetoes leave, in order, and a memory learns these. All of them are in
 * memory.
 *
 * @throws SieveMismatch, before any memory has learnt, and as a run does
 */
export async function finishSet(
  compiled: CompiledProfile,
  run: StreamRun,
  sieved: Sieved,
  { budget, abort, weights }: RankStreamOptions,
): Promise<TopRanking<object>> {
  const { plan } = run;
  const { result } = sieved;
  const candidates = decodeChosen(sieved);
  const call = wholeCall(plan, sharedRunOf(run, weights), candidates, budget, abort);
  const ranked = executeCall(compiled.plan, call, (state) =>
    chain(runWhole(state), (found) => {
      for (const [position, row] of result.chosen.entries()) checkVerdict(plan, row, found.verdicts[position]!);
      return found;
    }),
  );
  const { plan: own, result: retained } = await runAsync(ranked);
  return rankingOfChosen(own, sieved, retained, {
    columns: columnStats(own, retained), // all that the vetoes leave is here
    rescaled: rescaledScores(own, retained),
    pruned: ({ pruned, leftOut }) => ({ facts: pruned, leftOut: leftOutCounts(leftOut) }),
  });
}
