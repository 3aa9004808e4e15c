import { type Failures, insteadOf } from './failures.js';
import type { LateScorer } from './late-scorer.js';
import type { Batch, Cell, CompiledScorer } from './plan.js';
import { failRun, prepareEntry } from './prepare.js';
import { scoringOf } from './score.js';
import type { ScorePlan, Scoring } from './scoring.js';
import type { ScorerRun } from './settle.js';
import { type Steps, together } from './wait.js';

/**
 * Prepares the scorers that are in the run. Their order is the profile's.
 *
 * @param late those that are asked late, and prepared then
 */
export function* prepareScorers(
  plan: ScorePlan,
  inRun: (scorer: CompiledScorer) => boolean,
  cell: Cell,
  batch: Batch,
  failures: Failures,
  late: readonly LateScorer[],
): Steps<Scoring> {
  const { state } = batch;
  cell.state = state;
  const active = plan.scorers
    .map((scorer, k) => ({ scorer, judge: plan.firstJudge + k, late: late.find((one) => one.scorer === scorer) }))
    .filter(({ scorer }) => inRun(scorer));
  // All at once: each waits for its own model or store, and none needs what another prepares.
  const prepared = active.filter((one) => one.scorer.unit.batch && !one.late);
  const outcomes = yield* together(prepared.map(({ scorer: { entry, unit } }) => prepareEntry(entry, unit, batch)));
  const failed = new Map(prepared.map(({ scorer }, k) => [scorer, outcomes[k]]));
  const runs = active.map(({ scorer, judge, late: one }): ScorerRun => {
    const { entry, unit } = scorer;
    if (one) return { entry, judge, raw: one.raw, failed: undefined, asked: one.asked };
    const failure = failed.get(scorer);
    return failure
      ? unprepared({ entry, judge }, failure.cause, failures)
      : { entry, judge, raw: unit.scoreIn(state), failed: undefined };
  });
  cell.state = state;
  const scoring = scoringOf(plan, runs);
  state.scores = scoring.scores;
  return scoring;
}

/** A scorer that could not be prepared: one constant for all, unless that fails the run. */
export function unprepared(
  { entry, judge }: Pick<ScorerRun, 'entry' | 'judge'>,
  cause: unknown,
  failures: Failures,
): ScorerRun {
  if (entry.onPrepareError === 'fail') return failRun(entry.id, 'score', cause);
  failures.addUnprepared(entry.id, 'score', cause, insteadOf(entry.onPrepareError));
  return { entry, judge, raw: () => undefined, failed: { rule: entry.onPrepareError, cause } };
}
