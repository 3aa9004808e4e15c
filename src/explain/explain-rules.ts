import { causeOf } from '../engine/failures.js';
import { CandidateRefused } from '../engine/run-errors.js';
import { applyRule, ruleRefusal } from '../engine/stages/adjust/adjust.js';
import type { CompiledRule, RuleStep } from '../engine/stages/adjust/types.js';
import type { Expression } from '../expression/expression.js';
import type { Adjustment, NumberOrExpression, TableFactor } from '../profile/profile.js';
import type { ExplainContext } from './explain-context.js';
import type { RuleTerm, StepTerm } from './explanation.js';
import { readsOfExpressions } from './field-reads.js';
import { omitUndefined } from './json-value.js';

/**
 * The rules once more, in order, from the combined score on.
 *
 * @param because why none is asked, where nothing was combined
 */
export function explainRules(
  asking: ExplainContext,
  combined: number | undefined,
  because: string,
): { readonly terms: readonly RuleTerm[]; readonly score: number | undefined } {
  const { plan } = asking;
  let score = combined;
  let why = because;
  const terms = plan.profile.adjustments.map((rule, k): RuleTerm => {
    const compiled = plan.rules[k];
    if (score === undefined || !compiled) return { ...notAskedRule(rule), because: why };
    const asked = explainRule(asking, rule, compiled, score);
    score = asked.score;
    if (asked.score === undefined) why = `${rule.id} refused`;
    return asked.term;
  });
  return { terms, score };
}

const notAskedRule = ({ id, when }: Adjustment) =>
  ({ id, ...(when && { when: when.source }), state: 'not_asked', steps: [], reads: [] }) as const;

function explainRule(
  asking: ExplainContext,
  rule: Adjustment,
  compiled: CompiledRule,
  before: number,
): { readonly term: RuleTerm; readonly score: number | undefined } {
  const steps: StepTerm[] = [];
  const onStep = ({ operation, amount, score }: RuleStep): void =>
    void steps.push(
      omitUndefined({ operation, amount: amount + 0, score: score + 0, from: amountSource(rule[operation]) }),
    );
  const about = { id: rule.id, when: rule.when?.source, steps };
  try {
    const score = applyRule(compiled, before, asking.candidate, asking.row, asking.outcome.context, onStep);
    const state = steps.length > 0 ? 'fired' : 'not_fired';
    return { term: omitUndefined(about, { state, score: score + 0, reads: readsOfRule(asking, rule) }), score };
  } catch (error) {
    const refusal = ruleRefusal(error);
    const [state, said] =
      error instanceof CandidateRefused ? (['refused', undefined] as const) : (['failed', causeOf(error)] as const);
    return {
      term: omitUndefined(about, { state, reads: readsOfRule(asking, rule), error: said, refusal }),
      score: undefined,
    };
  }
}

const isTableFactor = (amount: NumberOrExpression | TableFactor | undefined): amount is TableFactor =>
  typeof amount === 'object' && 'table' in amount;

/** What an amount comes from, unless it is a number. */
function amountSource(amount: NumberOrExpression | TableFactor | undefined): string | undefined {
  if (typeof amount !== 'object') return undefined;
  return isTableFactor(amount) ? `the table by ${amount.by.map(({ source }) => source).join(', ')}` : amount.source;
}

function readsOfRule(asking: ExplainContext, { when, set, add, multiply, min, max }: Adjustment): RuleTerm['reads'] {
  const expressions = [when, set, add, multiply, min, max].flatMap((part): readonly Expression[] =>
    typeof part !== 'object' ? [] : isTableFactor(part) ? part.by : [part],
  );
  return readsOfExpressions(expressions, asking);
}
