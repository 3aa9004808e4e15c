import { type ScoreInput, unsound } from '../../kernel/score-loop.js';
import { NEVER } from '../../tasks/limits.js';
import type { RunState } from '../../run-state.js';
import { chain, type MaybeAsync } from '../../tasks/task.js';
import { prepareScorers } from './prepare-scorers.js';
import { inTurns } from '../../tasks/turns.js';
import { failOnExhaustion, resolveUnresolved } from './resolve-rows.js';
import { MeasuredScoring, SAMPLED_ROWS } from './scorer-costs.js';
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
    // Rows are resolved more than once here, so that every score that is not known to be cheap is kept.
    const first = startMeasured(run, scoring, run.kept.length)?.first ?? scoring;
    return chain(scoreSecondPhase(run, secondPhase, first, deferred), (scored) => void (run.scored = scored));
  });
}

const NO_DEFERRED: readonly DeferredScorer[] = [];

function scoreRows(run: RunState, given: Scoring): MaybeAsync<ScoredRows> {
  const { abort, kept, plan } = run;
  const { loops } = plan.score;
  const columns = columnsToKeep(run, given, kept.length);
  const form = { byColumn: false, keeps: columns !== undefined };
  const measured = startMeasured(run, given, kept.length);
  let first = 0;
  if (measured?.measures) {
    first = Math.min(kept.length, SAMPLED_ROWS);
    loops.plainScore(given.active, form)(scoreInput(run, measured.first, { kept, columns }), 0, first);
  }
  const scoring = settleMeasured(run, given, measured);
  const loop = loops.score(given.active, form);
  const input = scoreInput(run, scoring, { kept, columns });
  const looped = inTurns(abort, kept.length - first, 'score', (from, to) => loop(input, first + from, first + to));
  return chain(looped, () => resolveUnresolved(run, scoring, columns));
}

/** Starts to measure scorers, or to keep the scores of expensive ones; undefined in a run that needs neither. */
export function startMeasured(run: RunState, scoring: Scoring, rows: number): MeasuredScoring | undefined {
  const { score } = run.plan;
  const started = score.costs.start(scoring.active, rows);
  if (!started) return undefined;
  const measured = new MeasuredScoring(score, scoring, rows, run.context, started.measures, run.start.streamScores);
  run.context.scores = measured.first.scores;
  return measured;
}

/** The scoring for what follows the rows on which scorers were measured. */
export function settleMeasured(run: RunState, given: Scoring, measured: MeasuredScoring | undefined): Scoring {
  if (!measured) return given;
  const scoring = measured.settle();
  run.context.scores = scoring.scores;
  return scoring;
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
