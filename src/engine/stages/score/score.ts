import { type ScoreInput, unsound } from '../../kernel/score-loop.js';
import { NEVER } from '../../limits.js';
import type { RunState } from '../../run-state.js';
import { chain, type MaybeAsync } from '../../task.js';
import { prepareScorers } from './prepare-scorers.js';
import { resolveUnresolved } from './resolve-rows.js';
import { loopScorersIn } from './scoring.js';
import { type DeferredScorer, deferredScorers } from './second-phase/deferred-scorer.js';
import { scoreSecondPhase } from './second-phase/second-phase.js';
import type { ScoredRows, Scoring } from './types.js';

/** Tier 2: prepares the scorers, scores every kept candidate, and combines its scores in the same loop. */
export function scoreAndCombine(run: RunState): MaybeAsync<void> {
  const { secondPhase } = run.start;
  const deferred = secondPhase ? deferredScorers(run, secondPhase) : NO_DEFERRED;
  return chain(prepareScorers(run, deferred), (scoring) => {
    if (run.abort !== NEVER) run.abort.throwIfAborted();
    if (!secondPhase || deferred.length === 0) return void (run.scored = scoreRows(run, scoring));
    return chain(scoreSecondPhase(run, secondPhase, scoring, deferred), (scored) => void (run.scored = scored));
  });
}

const NO_DEFERRED: readonly DeferredScorer[] = [];

function scoreRows(run: RunState, scoring: Scoring): ScoredRows {
  const { kept, plan } = run;
  plan.score.loops.score(scoring.active)(scoreInput(run, scoring, kept), 0, kept.length);
  return resolveUnresolved(run, scoring);
}

/** The input of a loop. */
export const scoreInput = (
  { plan, candidates, buffers, context }: RunState,
  scoring: Scoring,
  kept: Int32Array,
): ScoreInput => ({
  candidates,
  kept,
  scorers: loopScorersIn(plan.score, scoring, context),
  weights: scoring.weights,
  weightsOf: scoring.weightsOf,
  totals: buffers.totals,
  unsound,
});
