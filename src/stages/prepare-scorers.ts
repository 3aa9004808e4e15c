import { type Failures, insteadOf } from './failures.js';
import type { Batch, Cell, CompiledScorer, Unprepared } from './plan.js';
import { failRun, prepareEntry } from './prepare.js';
import type { ScorePlan, Scoring } from './scoring.js';
import { andThen, type Soon, together } from './wait.js';

/** What came of preparing the scorers that must be prepared. */
type Outcomes = readonly (Unprepared | undefined)[];

/** Prepares the scorers that are in the run. Their order is the profile's. */
export function prepareScorers(
  plan: ScorePlan,
  inRun: (scorer: CompiledScorer) => boolean,
  cell: Cell,
  batch: Batch,
  failures: Failures,
): Soon<Scoring> {
  cell.state = batch.state;
  const active = plan.conditional ? plan.scorers.filter(inRun) : plan.scorers;
  const prepared = active.filter(({ unit }) => unit.batch);
  // All at once: each waits for its own model or store, and none needs what another prepares.
  const outcomes = together(prepared.map(({ entry, unit }) => prepareEntry(entry, unit, batch)));
  const ready = (known: Outcomes): Scoring => {
    cell.state = batch.state;
    const scoring = plan.scorings.of(active, failedOf(prepared, known, failures));
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
    const { id, onPrepareError: rule } = scorer.entry;
    if (rule === 'fail') return failRun(id, 'score', outcome.cause);
    failures.add(id, 'score', outcome.cause, insteadOf(rule));
    failed ??= new Map();
    failed.set(scorer, outcome.cause);
  }
  return failed;
}
