import { arithmeticOf, combineRow } from '../engine/combine-methods.js';
import { applyOperation } from '../engine/stages/adjust/adjust.js';
import type { CombineTerm, Explanation } from './explanation.js';
import { recomputeFormula } from './recompute-formula.js';

/**
 * Makes the score of an explanation's leaves, by the arithmetic that it states: the scorers' values by their shares,
 * the combine, the steps of the rules. Exactly the ranked score, in the same order of operations.
 *
 * A formula that reads what the explanation has in words only (a long list) is taken at its word: `combine.score`.
 *
 * @returns undefined where nothing was scored, or the candidate was refused
 */
export function recomputeScore(explanation: Explanation): number | undefined {
  const { outcome, combine, rules } = explanation;
  if (outcome.kind !== 'ranked' || !combine) return undefined;
  let score = recomputeCombine(explanation, combine);
  for (const { steps } of rules)
    for (const { operation, amount } of steps)
      score = score === undefined ? undefined : applyOperation(operation, score, amount);
  return score;
}

function recomputeCombine(explanation: Explanation, { method, score }: CombineTerm): number | undefined {
  if (method === 'formula') return recomputeFormula(explanation) ?? score;
  const asked = explanation.scorers.filter(({ state }) => state !== 'not_asked');
  const values = asked.map(({ value }) => value);
  const shares = Float64Array.from(asked, ({ share }) => share ?? 1);
  const arithmetic = arithmeticOf(method);
  return arithmetic ? combineRow(arithmetic, values, shares) : score;
}
