import {
  applyRule,
  CandidateRefused,
  causeOf,
  combineResolved,
  missingScale,
  type CompiledRule,
  refusalOf,
  refuserOf,
  ruleRefusal,
  type RuleStep,
  verdictOfError,
} from '../engine/index.js';
import type { Expression } from '../expression/index.js';
import {
  type Adjustment,
  combineFacts,
  combineName,
  labelOf,
  type NumberOrExpression,
  readsWeights,
  type TableFactor,
} from '../profile/index.js';
import { contributionOf, weightCaseOf } from './contributions.js';
import { notAskedRule } from './entry-term.js';
import type { ExplainContext } from './explain-context.js';
import { type ExplainedScorers, explainScorers } from './explain-entries.js';
import type { CombineTerm, RuleTerm, ScorerTerm, StepTerm } from './explanation.js';
import { readsOfExpression, readsOfExpressions } from './field-reads.js';
import { finiteOrUndefined, omitUndefined } from './json-value.js';

/** Tier 2, combine and rules of one candidate. */
export interface ExplainedScore {
  readonly scorers: readonly ScorerTerm[];
  /** Undefined where a scorer refused. */
  readonly combine: CombineTerm | undefined;
  readonly rules: readonly RuleTerm[];
  /** The final score; undefined where something refused. */
  readonly score: number | undefined;
}

/** Scores a candidate again: its scorers, the combine, the rules. */
export function explainScore(context: ExplainContext): ExplainedScore {
  const { scorers, combine } = explainCombine(context, explainScorers(context));
  const refusedBy = scorers.find(({ refusal }) => refusal)?.id ?? 'combine';
  const by = labelOf(context.plan.profile.labels, refusedBy);
  return { scorers, combine, ...explainRules(context, combine?.score, `${by} refused`) };
}

/** Combines the resolved scores again; the terms of the scorers then have their weights and contributions. */
function explainCombine(
  context: ExplainContext,
  { terms, resolved }: ExplainedScorers,
): Pick<ExplainedScore, 'scorers' | 'combine'> {
  if (terms.some(({ refusal }) => refusal)) return { scorers: terms, combine: undefined };
  const { plan, evaluation, candidate, row } = context;
  const { combine } = plan.profile;
  const result = combineAgain(context, resolved);
  const weights =
    readsWeights(combine) && result.error === undefined && resolved.length > 0
      ? evaluation.scored.scoring.weightsOf(candidate, row)
      : undefined;
  const scale = weights ? missingScale(weights, (k) => resolved[k] === undefined) : 1;
  const weightCase = weights && weightCaseOf(plan, candidate, row);
  let k = 0;
  const scorers = terms.map((term): ScorerTerm => {
    if (term.state === 'not_asked') return term;
    const share = finiteOrUndefined(weights?.[k++]);
    return omitUndefined(term, weightTerm(context, term, share, scale, weightCase));
  });
  const formula = typeof combine === 'string' ? undefined : combine.formula;
  const term = {
    method: combineName(combine),
    formula: formula?.source,
    reads: formula ? readsOfExpression(formula, context) : [],
    present: resolved.filter((value) => value !== undefined).length,
    of: resolved.length,
    scale: scale === 1 ? undefined : scale,
  };
  return { scorers, combine: omitUndefined(term, result) };
}

/** The combined score, or why combining refuses. */
function combineAgain(
  { plan, evaluation, candidate, row }: ExplainContext,
  resolved: readonly (number | undefined)[],
): Pick<CombineTerm, 'score' | 'error' | 'refusal'> {
  try {
    const score = combineResolved(plan.score, evaluation.scored.scoring, resolved, candidate, row);
    return score === undefined ? { refusal: 'unscored' } : { score: score + 0 };
  } catch (error) {
    const verdict = verdictOfError(plan.score, error);
    if (refuserOf(verdict) !== plan.score.combineRefuser) throw error;
    return { error: causeOf(error), refusal: refusalOf(verdict) };
  }
}

/** A scorer's weight, as written and as it counts, and its contribution. */
function weightTerm(
  { plan }: ExplainContext,
  { id, value }: ScorerTerm,
  share: number | undefined,
  scale: number,
  weightCase: string | undefined,
) {
  const { combine, scorers } = plan.profile;
  const facts = combineFacts(combine);
  if (facts.weights === 'none') return { contribution: contributionOf(facts, value, 1) };
  if (share === undefined) return {};
  const own = scorers.find((entry) => entry.id === id)?.weight;
  const ofCase = weightCase === undefined ? undefined : plan.score.cases?.cases.get(weightCase)?.get(id);
  const weight = share * scale;
  return {
    written: ofCase ?? (typeof own === 'object' ? own.source : own),
    case: ofCase === undefined ? undefined : weightCase,
    share,
    weight: value === undefined ? undefined : weight,
    contribution: finiteOrUndefined(contributionOf(facts, value, weight)),
  };
}

/**
 * Applies the rules again, in order.
 *
 * @param combined undefined where nothing was combined
 * @param because the reason that no rule is applied then
 */
function explainRules(
  context: ExplainContext,
  combined: number | undefined,
  because: string,
): Pick<ExplainedScore, 'rules' | 'score'> {
  const { plan } = context;
  let score = combined;
  let reason = because;
  const rules = plan.profile.adjustments.map((rule, k): RuleTerm => {
    const compiled = plan.rules[k];
    if (score === undefined || !compiled) return notAskedRule(rule, reason);
    const explained = explainRule(context, rule, compiled, score);
    score = explained.score;
    if (score === undefined) reason = `${labelOf(plan.profile.labels, rule.id)} refused`;
    return explained.term;
  });
  return { rules, score };
}

/** @returns its term and the score after it, undefined where it refuses */
function explainRule(
  context: ExplainContext,
  rule: Adjustment,
  compiled: CompiledRule,
  before: number,
): { readonly term: RuleTerm; readonly score: number | undefined } {
  const { candidate, row, evaluation } = context;
  const steps: StepTerm[] = [];
  const onStep = ({ operation, amount, score }: RuleStep): void =>
    void steps.push(
      omitUndefined({ operation, amount: amount + 0, score: score + 0, from: amountSource(rule[operation]) }),
    );
  const start = { id: rule.id, when: rule.when?.source, steps };
  try {
    const score = applyRule(compiled, before, candidate, row, evaluation.context, onStep);
    const state = steps.length > 0 ? 'fired' : 'not_fired';
    // JSON has no −0; the next rule gets the score as it is.
    return { term: omitUndefined(start, { state, score: score + 0, reads: readsOfRule(context, rule) }), score };
  } catch (error) {
    const refusal = ruleRefusal(error);
    const refused = error instanceof CandidateRefused;
    const state = refused ? 'refused' : 'failed';
    const cause = refused ? undefined : causeOf(error);
    const reads = readsOfRule(context, rule);
    return { term: omitUndefined(start, { state, reads, error: cause, refusal }), score: undefined };
  }
}

const isTableFactor = (amount: NumberOrExpression | TableFactor | undefined): amount is TableFactor =>
  typeof amount === 'object' && 'table' in amount;

/** The text of an amount's expression; undefined for a number. */
function amountSource(amount: NumberOrExpression | TableFactor | undefined): string | undefined {
  if (typeof amount !== 'object') return undefined;
  return isTableFactor(amount) ? `the table by ${amount.by.map(({ source }) => source).join(', ')}` : amount.source;
}

function readsOfRule(context: ExplainContext, { when, set, add, multiply, min, max }: Adjustment): RuleTerm['reads'] {
  const expressions = [when, set, add, multiply, min, max].flatMap((part): readonly Expression[] =>
    typeof part !== 'object' ? [] : isTableFactor(part) ? part.by : [part],
  );
  return readsOfExpressions(expressions, context);
}
