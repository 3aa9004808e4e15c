import { causeOf } from '../engine/failures.js';
import { refusalOf, refuserOf } from '../engine/kernel/verdict.js';
import { keyText } from '../engine/key-text.js';
import { combineResolved, verdictOfError } from '../engine/stages/score/resolve-rows.js';
import { readsWeights } from '../profile/resolve/resolve-weights.js';
import type { ExplainContext } from './explain-context.js';
import type { ExplainedScorers } from './explain-scorers.js';
import type { CombineTerm, ScorerTerm } from './explanation.js';
import { readsOfExpression } from './field-reads.js';
import { finiteOrUndefined, omitUndefined } from './json-value.js';

/** Combining once more: how, and what each scorer brought to it. */
export function explainCombine(
  asking: ExplainContext,
  { terms, resolved }: ExplainedScorers,
): { readonly scorers: readonly ScorerTerm[]; readonly combine: CombineTerm | undefined } {
  if (terms.some(({ refusal }) => refusal)) return { scorers: terms, combine: undefined };
  const { plan, outcome, candidate, row } = asking;
  const { scoring } = outcome.scored;
  const { combine } = plan.profile;
  const said: Pick<CombineTerm, 'score' | 'error' | 'refusal'> = recombine(asking, resolved);
  const weights = readsWeights(combine) && said.error === undefined ? scoring.weightsOf(candidate, row) : undefined;
  const scale = weights && missingScale(weights, resolved);
  const named = weights && weightCaseOf(asking);
  let k = 0;
  const scorers = terms.map((term): ScorerTerm => {
    if (term.state === 'not_asked') return term;
    const share = finiteOrUndefined(weights?.[k++]);
    return omitUndefined(term, weightPart(asking, term, share, scale ?? 1, named));
  });
  const formula = typeof combine === 'string' ? undefined : combine.formula;
  return {
    scorers,
    combine: omitUndefined(
      {
        method: typeof combine === 'string' ? combine : 'formula',
        formula: formula?.source,
        reads: formula ? readsOfExpression(formula, asking) : [],
        present: resolved.filter((value) => value !== undefined).length,
        of: resolved.length,
        scale,
      },
      said,
    ),
  };
}

/** What combining gives, or why it refuses. */
function recombine(
  { plan, outcome, candidate, row }: ExplainContext,
  settled: readonly (number | undefined)[],
): Pick<CombineTerm, 'score' | 'error' | 'refusal'> {
  try {
    const score = combineResolved(plan.score, outcome.scored.scoring, settled, candidate, row);
    return score === undefined ? { refusal: 'unscored' } : { score: score + 0 };
  } catch (error) {
    const verdict = verdictOfError(plan.score, error);
    if (refuserOf(verdict) !== plan.score.combineRefuser) throw error;
    return { error: causeOf(error), refusal: refusalOf(verdict) };
  }
}

/** Σ|w| / Σ|w present|, where something is missing. */
function missingScale(weights: Float64Array, settled: readonly (number | undefined)[]): number | undefined {
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
function weightCaseOf({ plan, candidate, row }: ExplainContext): string | undefined {
  const { cases } = plan.score;
  const name = cases && keyText(cases.evaluate(candidate, row));
  return name !== undefined && cases?.cases.has(name) ? name : undefined;
}

/** A scorer's weight, as written and as it counts, and what it brings. */
function weightPart(
  { plan }: ExplainContext,
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
    contribution: finiteOrUndefined(contribution),
  };
}
