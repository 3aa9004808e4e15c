import { explainCombine } from './explain-score.js';
import type { ExplainContext } from './explain-context.js';
import { explainRules } from './explain-rules.js';
import { explainScorers } from './explain-scorers.js';
import type { CombineTerm, RuleTerm, ScorerTerm } from './explanation.js';

/** What Tier 2, combining and the rules came to. */
export interface ExplainedScoring {
  readonly scorers: readonly ScorerTerm[];
  readonly combine: CombineTerm | undefined;
  readonly rules: readonly RuleTerm[];
  /** The final score; undefined where something refused. */
  readonly score: number | undefined;
}

/** Tier 2, combining and the rules once more, for one candidate. */
export function explainScoring(asking: ExplainContext): ExplainedScoring {
  const { scorers, combine } = explainCombine(asking, explainScorers(asking));
  const refusedBy = scorers.find(({ refusal }) => refusal)?.id ?? 'combine';
  const { terms: rules, score } = explainRules(asking, combine?.score, `${refusedBy} refused`);
  return { scorers, combine, rules, score };
}
