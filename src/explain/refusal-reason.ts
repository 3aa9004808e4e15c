import { refusalOf, refuserOf } from '../engine/kernel/verdict.js';
import type { Plan } from '../engine/plan.js';
import type { Evaluation } from '../engine/run-state.js';
import { createExplainContext } from './explain-context.js';
import { explainScoring } from './explain-scoring.js';
import { explainVetoes } from './explain-entries.js';
import { refusalsIn } from './refusals.js';

const STALE_CANDIDATE = 'the candidate has changed since the run';

/** Why a candidate was refused: made by asking again whoever refused it. */
export function refusalReason(plan: Plan, outcome: Evaluation, position: number, verdict: number): string {
  const asking = createExplainContext(plan, outcome, position);
  const judge = refuserOf(verdict);
  try {
    const terms = plan.current.enter(outcome.context, () =>
      judge < plan.score.firstRefuser ? { vetoes: explainVetoes(asking) } : explainScoring(asking),
    );
    const by = plan.refusers[judge];
    return refusalsIn(terms).find((one) => one.by === by && one.kind === refusalOf(verdict))?.reason ?? STALE_CANDIDATE;
  } catch {
    return STALE_CANDIDATE; // an entry whose failing fails the run did not fail then
  }
}
