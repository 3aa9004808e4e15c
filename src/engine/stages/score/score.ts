import { type ScoreInput, unsound } from '../../kernel/score-loop.js';
import { NEVER } from '../../tasks/limits.js';
import type { RunState } from '../../run-state.js';
import { chain, type MaybeAsync } from '../../tasks/task.js';
import { prepareScorers } from './prepare-scorers.js';
import { inTurns } from '../../tasks/turns.js';
import { failOnExhaustion, resolveUnresolved } from './resolve-rows.js';
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
    if (!secondPhase || deferred.length === 0)
      return chain(scoreRows(run, scoring), (scored) => void (run.scored = scored));
    return chain(scoreSecondPhase(run, secondPhase, scoring, deferred), (scored) => void (run.scored = scored));
  });
}

const NO_DEFERRED: readonly DeferredScorer[] = [];

function scoreRows(run: RunState, scoring: Scoring): MaybeAsync<ScoredRows> {
  const { abort, kept, plan } = run;
  const columns = columnsToKeep(run, scoring, kept.length);
  const loop = plan.score.loops.score(scoring.active, { byColumn: false, keeps: columns !== undefined });
  const input = scoreInput(run, scoring, { kept, columns });
  const looped = inTurns(abort, kept.length, 'score', (from, to) => loop(input, from, to));
  return chain(looped, () => resolveUnresolved(run, scoring, columns));
}

/** The columns into which a loop is to write the scores of some rows: none for a formula, which is one function. */
export const columnsToKeep = ({ start }: RunState, scoring: Scoring, rows: number): ScoreInput['columns'] =>
  scoring.arithmetic && start.columns?.take(scoring.active.length, rows);

/** The input of a loop. */
export const scoreInput = (
  run: RunState,
  scoring: Scoring,
  { kept, at, columns }: Pick<ScoreInput, 'kept' | 'at' | 'columns'>,
): ScoreInput => ({
  candidates: run.candidates,
  at,
  kept,
  columns,
  scorers: loopScorersIn(run.plan.score, scoring, run.context),
  weights: scoring.weights,
  weightsOf: scoring.weightsOf,
  totals: run.buffers.totals,
  unsound,
  caught: (error, position, row) => failOnExhaustion(run, scoring, error, position, row),
});
