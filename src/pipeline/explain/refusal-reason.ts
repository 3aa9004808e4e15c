import { refusalsIn } from '../../explain/refusals.js';
import { judgeOf, refusalOf } from '../../matrix/verdict.js';
import type { Plan } from '../compile/plan.js';
import type { Judgement } from '../outcome.js';
import { askAgain } from './ask-again.js';
import { askScoring } from './ask-scoring.js';
import { vetoTerms } from './ask-vetoes.js';

const CHANGED = 'the candidate has changed since the run';

/** Why a candidate was refused: made by asking again whoever refused it. */
export function refusalReason(plan: Plan, outcome: Judgement, position: number, verdict: number): string {
  const asking = askAgain(plan, outcome, position);
  const judge = judgeOf(verdict);
  try {
    const terms = judge < plan.score.firstJudge ? { vetoes: vetoTerms(asking) } : askScoring(asking);
    const by = plan.judges[judge];
    return refusalsIn(terms).find((one) => one.by === by && one.kind === refusalOf(verdict))?.reason ?? CHANGED;
  } catch {
    return CHANGED; // an entry whose failing fails the run did not fail then
  }
}
