import type { CombineTerm, ScorerTerm } from '../../explain/explanation.js';
import { defined, finite } from '../../explain/plain.js';
import { readsOfExpression } from '../../explain/reads.js';
import { judgeOf, refusalOf } from '../../matrix/verdict.js';
import { readsWeights } from '../../profile/weights.js';
import { causeOf } from '../../stages/failures.js';
import { keyText } from '../../stages/key-text.js';
import { combineSettled, refusedBy } from '../../stages/score.js';
import type { Asking } from './ask-again.js';
import type { AskedScorers } from './ask-scorers.js';

/** Combining once more: how, and what each scorer brought to it. */
export function combineTerms(
  asking: Asking,
  { terms, settled }: AskedScorers,
): { readonly scorers: readonly ScorerTerm[]; readonly combine: CombineTerm | undefined } {
  if (terms.some(({ refusal }) => refusal)) return { scorers: terms, combine: undefined };
  const { plan, outcome, candidate, row } = asking;
  const { scoring } = outcome.scored;
  const { combine } = plan.profile;
  const said: Pick<CombineTerm, 'score' | 'error' | 'refusal'> = combined(asking, settled);
  const weights = readsWeights(combine) && said.error === undefined ? scoring.weightsOf(candidate, row) : undefined;
  const scale = weights && scaleOf(weights, settled);
  const named = weights && caseOf(asking);
  let k = 0;
  const scorers = terms.map((term): ScorerTerm => {
    if (term.state === 'not_asked') return term;
    const share = finite(weights?.[k++]);
    return defined(term, weighed(asking, term, share, scale ?? 1, named));
  });
  const formula = typeof combine === 'string' ? undefined : combine.formula;
  return {
    scorers,
    combine: defined(
      {
        method: typeof combine === 'string' ? combine : 'formula',
        formula: formula?.source,
        reads: formula ? readsOfExpression(formula, asking) : [],
        present: settled.filter((value) => value !== undefined).length,
        of: settled.length,
        scale,
      },
      said,
    ),
  };
}

/** What combining gives, or why it refuses. */
function combined(
  { plan, outcome, candidate, row }: Asking,
  settled: readonly (number | undefined)[],
): Pick<CombineTerm, 'score' | 'error' | 'refusal'> {
  try {
    const score = combineSettled(plan.score, outcome.scored.scoring, settled, candidate, row);
    return score === undefined ? { refusal: 'unscored' } : { score: score + 0 };
  } catch (error) {
    const verdict = refusedBy(plan.score, error);
    if (judgeOf(verdict) !== plan.score.combineJudge) throw error;
    return { error: causeOf(error), refusal: refusalOf(verdict) };
  }
}

/** Σ|w| / Σ|w present|, where something is missing. */
function scaleOf(weights: Float64Array, settled: readonly (number | undefined)[]): number | undefined {
  let all = 0;
  let here = 0;
  for (const [k, value] of settled.entries()) {
    const weight = Math.abs(weights[k] ?? 1);
    all += weight;
    if (value !== undefined) here += weight;
  }
  return here > 0 && here < all ? all / here : undefined;
}

/** The case whose weights this candidate has, if it has one's. */
function caseOf({ plan, candidate, row }: Asking): string | undefined {
  const { cases } = plan.score;
  const name = cases && keyText(cases.evaluate(candidate, row));
  return name !== undefined && cases?.cases.has(name) ? name : undefined;
}

/** A scorer's weight, as written and as it counts, and what it brings. */
function weighed(
  { plan }: Asking,
  { id, value }: ScorerTerm,
  share: number | undefined,
  scale: number,
  named: string | undefined,
) {
  const { combine, scorers } = plan.profile;
  if (combine === 'product') return { contribution: value };
  if (share === undefined) return {};
  const own = scorers.find((entry) => entry.id === id)?.weight;
  const ofCase = named === undefined ? undefined : plan.score.cases?.cases.get(named)?.get(id);
  const weight = share * scale;
  const contribution =
    value === undefined ? undefined : combine === 'geometric_mean' ? value ** weight : value * weight;
  return {
    written: ofCase ?? (typeof own === 'object' ? own.source : own),
    case: ofCase === undefined ? undefined : named,
    share,
    weight: value === undefined ? undefined : weight,
    contribution: finite(contribution),
  };
}
