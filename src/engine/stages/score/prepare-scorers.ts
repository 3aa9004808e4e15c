import { type Failures, replacementOf } from '../../failures.js';
import { failRun, prepareEntry } from '../../prepare-entry.js';
import type { CompiledScorer, CurrentRun, PrepareFailure, PrepareInput } from '../../run-context.js';
import { awaitAll, chain, type MaybeAsync } from '../../task.js';
import { type ScorePlan, type Scoring, scoringWithDeferred } from './scoring.js';
import type { DeferredScorer } from './second-phase/deferred-scorer.js';

/**
 * Prepares the scorers that are in the run. Their order is the profile's.
 *
 * @param late those that are asked late, and prepared then
 */
export function prepareScorers(
  plan: ScorePlan,
  cell: CurrentRun,
  batch: PrepareInput,
  failures: Failures,
  late: readonly DeferredScorer[],
): MaybeAsync<Scoring> {
  cell.context = batch.context;
  const active = plan.conditional ? plan.scorers.filter(({ when }) => when()) : plan.scorers;
  const outcomes = awaitAll(prepareAll(active, batch, late));
  return chain(outcomes, (known) => {
    cell.context = batch.context;
    for (let k = 0; k < active.length; k++) {
      const failed = known[k];
      if (failed) recordPrepareFailure(active[k]!, failed.cause, failures);
    }
    const scoring =
      late.length === 0 ? plan.scorings.of(active, known) : scoringWithDeferred(plan, active, known, late);
    batch.context.scores = scoring.scores;
    return scoring;
  });
}

/** Begins with all at once: each waits for its own model or store, and none needs what another prepares. */
function prepareAll(
  active: readonly CompiledScorer[],
  batch: PrepareInput,
  late: readonly DeferredScorer[],
): readonly MaybeAsync<PrepareFailure | undefined>[] {
  const all: MaybeAsync<PrepareFailure | undefined>[] = [];
  for (const scorer of active) {
    const now = scorer.unit.prepares && !late.some((one) => one.scorer === scorer);
    all.push(now ? prepareEntry(scorer.entry, scorer.unit, batch) : undefined);
  }
  return all;
}

/** A scorer that could not be prepared is one constant for all, unless that fails the run. */
export function recordPrepareFailure(
  { entry }: Pick<CompiledScorer, 'entry'>,
  cause: unknown,
  failures: Failures,
): void {
  const { id, onPrepareError: rule } = entry;
  if (rule === 'fail') failRun(id, 'score', cause);
  failures.addUnprepared(id, 'score', cause, replacementOf(rule));
}
