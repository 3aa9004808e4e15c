import { type Failures, insteadOf } from './failures.js';
import type { LateScorer } from './late-scorer.js';
import type { Batch, Cell, CompiledScorer, Unprepared } from './plan.js';
import { failRun, prepareEntry } from './prepare.js';
import { type ScorePlan, type Scoring, scoringWithLate } from './scoring.js';
import { andThen, type Soon, together } from './wait.js';

/** What came of preparing the scorers that must be prepared. */
type Outcomes = readonly (Unprepared | undefined)[];

/**
 * Prepares the scorers that are in the run. Their order is the profile's.
 *
 * @param late those that are asked late, and prepared then
 */
export function prepareScorers(
  plan: ScorePlan,
  inRun: (scorer: CompiledScorer) => boolean,
  cell: Cell,
  batch: Batch,
  failures: Failures,
  late: readonly LateScorer[],
): Soon<Scoring> {
  cell.state = batch.state;
  const active = plan.conditional ? plan.scorers.filter(inRun) : plan.scorers;
  const isLate = (scorer: CompiledScorer): boolean => late.some((one) => one.scorer === scorer);
  const prepared = active.filter((scorer) => scorer.unit.batch && !isLate(scorer));
  // All at once: each waits for its own model or store, and none needs what another prepares.
  const outcomes = together(prepared.map(({ entry, unit }) => prepareEntry(entry, unit, batch)));
  const ready = (known: Outcomes): Scoring => {
    cell.state = batch.state;
    const failed = failedOf(prepared, known, failures);
    const scoring = late.length === 0 ? plan.scorings.of(active, failed) : scoringWithLate(plan, active, failed, late);
    batch.state.scores = scoring.scores;
    return scoring;
  };
  return andThen(outcomes, ready);
}

/** The scorers that could not be prepared, with why; undefined where all could. */
function failedOf(
  prepared: readonly CompiledScorer[],
  outcomes: Outcomes,
  failures: Failures,
): ReadonlyMap<CompiledScorer, unknown> | undefined {
  let failed: Map<CompiledScorer, unknown> | undefined;
  for (let k = 0; k < prepared.length; k++) {
    const outcome = outcomes[k];
    if (!outcome) continue;
    const scorer = prepared[k]!;
    tellUnprepared(scorer, outcome.cause, failures);
    failed ??= new Map();
    failed.set(scorer, outcome.cause);
  }
  return failed;
}

/** A scorer that could not be prepared is one constant for all, unless that fails the run. */
export function tellUnprepared({ entry }: Pick<CompiledScorer, 'entry'>, cause: unknown, failures: Failures): void {
  const { id, onPrepareError: rule } = entry;
  if (rule === 'fail') failRun(id, 'score', cause);
  failures.addUnprepared(id, 'score', cause, insteadOf(rule));
}
