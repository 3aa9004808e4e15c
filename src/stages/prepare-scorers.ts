import { type Failures, insteadOf } from './failures.js';
import type { LateScorer } from './late-scorer.js';
import type { Batch, Cell, CompiledScorer, Unprepared } from './plan.js';
import { failRun, prepareEntry } from './prepare.js';
import { type ScorePlan, type Scoring, scoringWithLate } from './scoring.js';
import { andThen, type Soon, together } from './wait.js';

/**
 * Prepares the scorers that are in the run. Their order is the profile's.
 *
 * @param late those that are asked late, and prepared then
 */
export function prepareScorers(
  plan: ScorePlan,
  cell: Cell,
  batch: Batch,
  failures: Failures,
  late: readonly LateScorer[],
): Soon<Scoring> {
  cell.state = batch.state;
  const active = plan.conditional ? plan.scorers.filter(({ when }) => when()) : plan.scorers;
  const outcomes = together(preparing(active, batch, late));
  return andThen(outcomes, (known) => {
    cell.state = batch.state;
    for (let k = 0; k < active.length; k++) {
      const failed = known[k];
      if (failed) tellUnprepared(active[k]!, failed.cause, failures);
    }
    const scoring = late.length === 0 ? plan.scorings.of(active, known) : scoringWithLate(plan, active, known, late);
    batch.state.scores = scoring.scores;
    return scoring;
  });
}

/** Begins with all at once: each waits for its own model or store, and none needs what another prepares. */
function preparing(
  active: readonly CompiledScorer[],
  batch: Batch,
  late: readonly LateScorer[],
): readonly Soon<Unprepared | undefined>[] {
  const all: Soon<Unprepared | undefined>[] = [];
  for (const scorer of active) {
    const now = scorer.unit.batch && !late.some((one) => one.scorer === scorer);
    all.push(now ? prepareEntry(scorer.entry, scorer.unit, batch) : undefined);
  }
  return all;
}

/** A scorer that could not be prepared is one constant for all, unless that fails the run. */
export function tellUnprepared({ entry }: Pick<CompiledScorer, 'entry'>, cause: unknown, failures: Failures): void {
  const { id, onPrepareError: rule } = entry;
  if (rule === 'fail') failRun(id, 'score', cause);
  failures.addUnprepared(id, 'score', cause, insteadOf(rule));
}
