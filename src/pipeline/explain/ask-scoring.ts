import type { CombineTerm, RuleTerm, ScorerTerm } from '../../explain/explanation.js';
import type { Asking } from './ask-again.js';
import { combineTerms } from './ask-combine.js';
import { ruleTerms } from './ask-rules.js';
import { scorerTerms } from './ask-scorers.js';

/** What Tier 2, combining and the rules came to. */
export interface AskedScoring {
  readonly scorers: readonly ScorerTerm[];
  readonly combine: CombineTerm | undefined;
  readonly rules: readonly RuleTerm[];
  /** The final score; undefined where something refused. */
  readonly score: number | undefined;
}

/** Tier 2, combining and the rules once more, for one candidate. */
export function askScoring(asking: Asking): AskedScoring {
  const { scorers, combine } = combineTerms(asking, scorerTerms(asking));
  const refusedBy = scorers.find(({ refusal }) => refusal)?.id ?? 'combine';
  const { terms: rules, score } = ruleTerms(asking, combine?.score, `${refusedBy} refused`);
  return { scorers, combine, rules, score };
}
