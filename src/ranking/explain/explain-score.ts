import {
  missingScale,
  CandidateRefused,
  causeOf,
  refusalOf,
  refuserOf,
  type CompiledRule,
  type Plan,
  type RuleStep,
  type Evaluation,
  applyRule,
  ruleRefusal,
  combineResolved,
  verdictOfError,
  keyText,
} from '../../engine/index.js';
import type { Expression } from '../../expression/index.js';
import {
  combineFacts,
  type CombineFacts,
  combineName,
  readsWeights,
  type Adjustment,
  labelOf,
  type NumberOrExpression,
  type Profile,
  type TableFactor,
} from '../../profile/index.js';
import {
  type ExplainContext,
  explainContext,
  type ExplainedScorers,
  explainScorers,
  explainVetoes,
  notAskedRule,
  withRun,
} from './explain-entries.js';
import type {
  CombineTerm,
  EntryTerm,
  Explanation,
  RefusalTerm,
  RuleTerm,
  ScorerTerm,
  StepTerm,
} from './explanation.js';
import { finiteOrUndefined, omitUndefined, readsOfExpression, readsOfExpressions } from './json-value.js';

/** Tier 2, combine and rules of one candidate. */
interface ExplainedScore {
  readonly scorers: readonly ScorerTerm[];
  /** Undefined if a scorer refused. */
  readonly combine: CombineTerm | undefined;
  readonly rules: readonly RuleTerm[];
  /** The final score; undefined if something refused. */
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
 * @param combined undefined if nothing was combined
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

/** @returns its term and the score after it, undefined if it refuses */
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

/** A summand or factor of the combined score; undefined if scorers are neither. */
export function contributionOf(
  { effect }: CombineFacts,
  value: number | undefined,
  weight: number,
): number | undefined {
  if (value === undefined) return undefined;
  return effect === 'summand' ? value * weight : effect === 'factor' ? value ** weight : undefined;
}

/** The case of the profile's `weights` that applies to a candidate, if one does. */
export function weightCaseOf({ score: { cases } }: Plan, candidate: unknown, row: number): string | undefined {
  const name = cases && keyText(cases.evaluate(candidate, row));
  return name !== undefined && cases?.cases.has(name) ? name : undefined;
}

/** The terms of an explanation that may refuse. */
export interface RefusingTerms extends Partial<Pick<Explanation, 'vetoes' | 'scorers' | 'rules'>> {
  readonly combine?: Explanation['combine'] | undefined;
}

/** The refusals among some terms, in the order of evaluation, with their reasons: the profile's own, if it has one. */
export function refusalsIn(
  profile: Profile,
  { vetoes = [], scorers = [], combine, rules = [] }: RefusingTerms,
): RefusalTerm[] {
  const refusals: RefusalTerm[] = [];
  const own = (entries: readonly WithReason[], id: string): string | undefined =>
    entries.find((entry) => entry.id === id)?.reason;
  for (const term of vetoes) {
    const { id: by, refusal: kind } = term;
    const said = kind === 'veto' ? own(profile.vetoes, by) : undefined;
    if (kind) refusals.push({ kind, by, reason: said ?? refusalText(term) });
  }
  for (const term of scorers) {
    const { id: by, refusal: kind } = term;
    const said = kind === 'absent' ? own(profile.scorers, by) : undefined;
    if (kind) refusals.push({ kind, by, reason: said ?? refusalText(term) });
  }
  if (combine?.refusal)
    refusals.push({ kind: combine.refusal, by: 'combine', reason: combine.error ?? unscoredText(combine) });
  for (const { id, refusal, error } of rules) {
    const said = error ?? own(profile.adjustments, id) ?? `the factor of ${id} is 0`;
    if (refusal) refusals.push({ kind: refusal, by: id, reason: said });
  }
  return refusals;
}

interface WithReason {
  readonly id: string;
  readonly reason: string | undefined;
}

const refusalText = ({ unit, error, reason, state }: EntryTerm & { readonly state: string }): string =>
  error ?? reason ?? (state === 'absent' ? abstainText(unit) : unit);

/** A class abstains, an expression is absent; the text of an expression is never one word. */
const abstainText = (unit: string): string => (/^[\w$]+$/.test(unit) ? `${unit} abstained` : `${unit} is absent`);

function unscoredText({ formula, of }: NonNullable<Explanation['combine']>): string {
  if (formula !== undefined) return `the formula ${formula} is absent`;
  return of === 0 ? 'no scorer takes part in this run' : 'no scorer returned a score';
}

const STALE_CANDIDATE = 'the candidate has changed since the run';

/** The reason of a veto for every candidate: the profile's, or its expression. Undefined where its class gives it. */
const constantReason = ({ reason, use }: Profile['vetoes'][number]): string | undefined =>
  reason ?? (use.kind === 'expr' ? use.expression.source : undefined);

/**
 * The reason of a verdict. If it differs by candidate, the entry that refused is evaluated again.
 *
 * @param verdict one of those that were passed on the candidate at `position`
 */
export function refusalReason(plan: Plan, evaluation: Evaluation, position: number, verdict: number): string {
  const refuser = refuserOf(verdict);
  const by = plan.refusers[refuser];
  const kind = refusalOf(verdict);
  const veto = kind === 'veto' ? plan.profile.vetoes.find(({ id }) => id === by) : undefined;
  const constant = veto && constantReason(veto);
  if (constant !== undefined) return constant;
  const context = explainContext(plan, evaluation, position);
  try {
    const refusals = withRun(plan, evaluation, () =>
      refusalsIn(
        plan.profile,
        refuser < plan.score.firstRefuser ? { vetoes: explainVetoes(context) } : explainScore(context),
      ),
    );
    return refusals.find((one) => one.by === by && one.kind === kind)?.reason ?? STALE_CANDIDATE;
  } catch {
    return STALE_CANDIDATE; // an entry whose failure fails the run did not fail in it
  }
}
