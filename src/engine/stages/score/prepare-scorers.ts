import type { PrepareFailure } from '../../entries/compiled-unit.js';
import { type Failures, replacementOf } from '../../failures/failures.js';
import { prepareEntry } from '../../entries/prepare-entry.js';
import { failRun } from '../../failures/run-errors.js';
import type { RunState } from '../../run-state.js';
import { awaitAll, chain, type MaybeAsync } from '../../tasks/task.js';
import { activeScorers, makeScoring } from './scoring.js';
import type { DeferredScorer } from './second-phase/deferred-scorer.js';
import type { CompiledScorer, Scoring } from './types.js';

/**
 * Prepares the scorers that are in the run, in the profile's order.
 *
 * @param deferred those of the second phase, which are prepared there
 */
export function prepareScorers(run: RunState, deferred: readonly DeferredScorer[]): MaybeAsync<Scoring> {
  const { context, failures } = run;
  const { score: plan } = run.plan;
  const present = plan.conditional ? plan.scorers.filter(({ when }) => when()) : plan.scorers;
  return chain(awaitAll(startAll(run, present, deferred)), (outcomes) => {
    for (let k = 0; k < present.length; k++) {
      const failure = outcomes[k];
      if (failure) recordPrepareFailure(present[k]!, failure.cause, run.kept.length, failures);
    }
    const scoring =
      deferred.length === 0
        ? plan.scoringOf(present, outcomes)
        : makeScoring(
            plan,
            activeScorers(present, outcomes).map((one) => {
              const { raw, asked } = deferred.find(({ scorer }) => scorer.entry === one.entry) ?? {};
              return raw && asked ? { ...one, raw, asked } : one;
            }),
          );
    context.scores = scoring.scores;
    return scoring;
  });
}

/** Starts all of them: each waits for its own model or store, and none needs what another prepares. */
function startAll(
  run: RunState,
  present: readonly CompiledScorer[],
  deferred: readonly DeferredScorer[],
): readonly MaybeAsync<PrepareFailure | undefined>[] {
  return present.map((scorer) => {
    const now = scorer.unit.prepares && !deferred.some((one) => one.scorer === scorer);
    return now ? prepareEntry(scorer.entry, scorer.unit, run.keptInput) : undefined;
  });
}

/** A scorer that could not be prepared is one constant for all, unless that fails the run. */
export function recordPrepareFailure(
  { entry }: CompiledScorer,
  cause: unknown,
  candidates: number,
  failures: Failures,
): void {
  const { id, onPrepareError: rule } = entry;
  if (rule === 'fail') failRun(id, 'score', cause);
  failures.addUnprepared(id, 'score', cause, candidates, replacementOf(rule));
}
