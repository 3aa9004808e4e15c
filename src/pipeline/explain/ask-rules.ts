import type { RuleTerm, StepTerm } from '../../explain/explanation.js';
import { defined } from '../../explain/plain.js';
import { readsOfAll } from '../../explain/reads.js';
import type { Expression } from '../../expression/expression.js';
import type { Adjustment, Amount, TableFactor } from '../../profile/profile.js';
import { applyRule, type CompiledRule, type RuleStep, ruleRefusal } from '../../stages/adjust.js';
import { causeOf } from '../../stages/failures.js';
import { Refused } from '../../stages/plan.js';
import type { Asking } from './ask-again.js';

/**
 * The rules once more, in order, from the combined score on.
 *
 * @param because why none is asked, where nothing was combined
 */
export function ruleTerms(
  asking: Asking,
  combined: number | undefined,
  because: string,
): { readonly terms: readonly RuleTerm[]; readonly score: number | undefined } {
  const { plan } = asking;
  let score = combined;
  let why = because;
  const terms = plan.profile.adjustments.map((rule, k): RuleTerm => {
    const compiled = plan.rules[k];
    if (score === undefined || !compiled) return { ...notAsked(rule), because: why };
    const asked = askRule(asking, rule, compiled, score);
    score = asked.score;
    if (asked.score === undefined) why = `${rule.id} refused`;
    return asked.term;
  });
  return { terms, score };
}

const notAsked = ({ id, when }: Adjustment) =>
  ({ id, ...(when && { when: when.source }), state: 'not_asked', steps: [], reads: [] }) as const;

function askRule(
  asking: Asking,
  rule: Adjustment,
  compiled: CompiledRule,
  before: number,
): { readonly term: RuleTerm; readonly score: number | undefined } {
  const steps: StepTerm[] = [];
  const onStep = ({ operation, amount, score }: RuleStep): void =>
    void steps.push(defined({ operation, amount: amount + 0, score: score + 0, from: sourceOf(rule[operation]) }));
  const about = { id: rule.id, when: rule.when?.source, steps };
  try {
    const score = applyRule(compiled, before, asking.candidate, asking.row, asking.outcome.state, onStep);
    const state = steps.length > 0 ? 'fired' : 'not_fired';
    return { term: defined(about, { state, score: score + 0, reads: readsOfRule(asking, rule) }), score };
  } catch (error) {
    const refusal = ruleRefusal(error);
    const [state, said] =
      error instanceof Refused ? (['refused', undefined] as const) : (['failed', causeOf(error)] as const);
    return {
      term: defined(about, { state, reads: readsOfRule(asking, rule), error: said, refusal }),
      score: undefined,
    };
  }
}

const isTable = (amount: Amount | TableFactor | undefined): amount is TableFactor =>
  typeof amount === 'object' && 'table' in amount;

/** What an amount comes from, unless it is a number. */
function sourceOf(amount: Amount | TableFactor | undefined): string | undefined {
  if (typeof amount !== 'object') return undefined;
  return isTable(amount) ? `the table by ${amount.by.map(({ source }) => source).join(', ')}` : amount.source;
}

function readsOfRule(asking: Asking, { when, set, add, multiply, min, max }: Adjustment): RuleTerm['reads'] {
  const expressions = [when, set, add, multiply, min, max].flatMap((part): readonly Expression[] =>
    typeof part !== 'object' ? [] : isTable(part) ? part.by : [part],
  );
  return readsOfAll(expressions, asking);
}
