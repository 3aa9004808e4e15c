import {
  missingScale,
  CandidateRefused,
  causeOf,
  refusalOf,
  refuserOf,
  type CompiledRule,
  type Refusal,
  type Plan,
  type RuleStep,
  type Evaluation,
  applyRule,
  ruleRefusal,
  combineResolved,
  verdictOfError,
  keyText,
} from '../../engine/index.js';
import { formatNumber } from '../../base/index.js';
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
  named,
  notEvaluatedNode,
  stageNode,
  withRun,
} from './explain-entries.js';
import {
  type CombineNode,
  type ExplanationColumn,
  type FieldNode,
  nodesOfKind,
  type RuleNode,
  type ScorerNode,
  type StageNode,
  type StepNode,
  type VetoNode,
} from './explanation.js';
import type { RefusalTerm } from './outcome.js';
import { finiteOrUndefined, omitUndefined, readsOfExpression, readsOfExpressions } from './json-value.js';

/** The scorers, the combine method and the rules for one candidate. */
interface ExplainedScore {
  readonly combine: CombineNode;
  readonly rules: StageNode<RuleNode>;
  /** The final score; undefined if the candidate was refused. */
  readonly score: number | undefined;
}

export function explainScore(context: ExplainContext): ExplainedScore {
  const { labels } = context.plan.profile;
  const combine = explainCombine(context, explainScorers(context));
  const refusedBy = nodesOfKind(combine.details, 'scorer').find(({ refusal }) => refusal)?.id ?? 'combine';
  return { combine, ...explainRules(context, combine.value, `${labelOf(labels, refusedBy)} refused`) };
}

/** Combines the resolved scores again, and adds weights and contributions to the scorers. */
function explainCombine(context: ExplainContext, { nodes, resolved }: ExplainedScorers): CombineNode {
  if (nodes.some(({ refusal }) => refusal)) return combineNode(context.plan.profile, nodes);
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
  const scorers = nodes.map((node): ScorerNode => {
    if (node.state === 'not_evaluated') return node;
    const share = finiteOrUndefined(weights?.[k++]);
    return weighted(context, node, share, scale, weightCase);
  });
  const present = resolved.filter((value) => value !== undefined).length;
  const fields = typeof combine === 'string' ? [] : readsOfExpression(combine.formula, context);
  const combined = { ...result, present, of: resolved.length, scale: scale === 1 ? undefined : scale };
  return combineNode(plan.profile, scorers, fields, combined);
}

/** The result of combining the scores. */
type Combined = Pick<CombineNode, 'value' | 'error' | 'refusal' | 'present' | 'of'> & {
  readonly scale: number | undefined;
};

/** @param combined undefined if nothing was combined */
function combineNode(
  { combine, onUnscored }: Profile,
  scorers: readonly ScorerNode[],
  fields: readonly FieldNode[] = [],
  combined?: Combined,
): CombineNode {
  const { value, error, present = 0, of = 0, scale } = combined ?? {};
  const formula = typeof combine === 'string' ? undefined : combine.formula.source;
  const nothing = formula === undefined ? 'nothing to combine: unscored' : 'unscored';
  const isUnscored = combined && (value === undefined || (onUnscored !== undefined && present === 0));
  const unscored = isUnscored ? [error ?? (value === undefined ? nothing : 'nothing to combine: on_unscored')] : [];
  const scaled = scale === undefined ? '' : `: weights × ${formatNumber(scale)}`;
  const partial = present < of ? [`scored on ${present} of ${of}${scaled}`] : [];
  const state = !combined
    ? 'not_evaluated'
    : value !== undefined
      ? 'combined'
      : error !== undefined
        ? 'failed'
        : 'unscored';
  return omitUndefined(
    { kind: 'combine', id: combineName(combine), label: combineFacts(combine).label, state },
    { text: [...unscored, ...(combined && formula !== undefined ? [formula] : []), ...partial].join('; '), formula },
    combined ?? {},
    { columns: scoreColumns(combined && combine, scorers), details: [...scorers, ...fields] },
  );
}

/** The column heads for weights and contributions. A method without contributions has only the weight. */
const WEIGHT_HEADS: Readonly<Record<CombineFacts['effect'], readonly [weight: string, contribution?: string]>> = {
  summand: ['× weight', '= adds'],
  factor: ['^ weight', '= factor'],
  extreme: ['weight'],
  none: ['weight'],
};

/** The number columns of scorers: the score, and the weight and contribution if the combine method uses weights. */
function scoreColumns(
  combine: Profile['combine'] | undefined,
  scorers: readonly ScorerNode[],
): readonly ExplanationColumn[] {
  const rawDiffers = scorers.some(({ raw, value }) => value !== undefined && raw !== value);
  const own: ExplanationColumn[] = [{ key: 'raw', head: 'raw' }];
  if (rawDiffers) own.push({ key: 'value', head: 'counts' });
  const facts = combine && combineFacts(combine);
  if (!facts || facts.weights === 'none') return own;
  const [weight, contribution] = WEIGHT_HEADS[facts.effect];
  own.push({ key: 'weight', head: weight });
  if (contribution !== undefined) own.push({ key: 'contribution', head: contribution });
  return own;
}

/** The combined score, or why the combine method refused. */
function combineAgain(
  { plan, evaluation, candidate, row }: ExplainContext,
  resolved: readonly (number | undefined)[],
): Pick<CombineNode, 'value' | 'error' | 'refusal'> {
  try {
    const score = combineResolved(plan.score, evaluation.scored.scoring, resolved, candidate, row);
    return score === undefined ? { refusal: 'unscored' } : { value: score + 0 };
  } catch (error) {
    const verdict = verdictOfError(plan.score, error);
    if (refuserOf(verdict) !== plan.score.combineRefuser) throw error;
    return { error: causeOf(error), refusal: refusalOf(verdict) };
  }
}

/** Adds to a scorer its written and effective weight and its contribution. */
function weighted(
  { plan }: ExplainContext,
  node: ScorerNode,
  share: number | undefined,
  scale: number,
  weightCase: string | undefined,
): ScorerNode {
  const { combine, scorers } = plan.profile;
  const { id, value } = node;
  const facts = combineFacts(combine);
  if (facts.weights === 'none') return omitUndefined(node, { contribution: contributionOf(facts, value, 1) });
  if (share === undefined) return node;
  const own = scorers.find((entry) => entry.id === id)?.weight;
  const ofCase = weightCase === undefined ? undefined : plan.score.cases?.cases.get(weightCase)?.get(id);
  const weight = share * scale;
  return omitUndefined(node, {
    written: ofCase ?? (typeof own === 'object' ? own.source : own),
    case: ofCase === undefined ? undefined : weightCase,
    share,
    weight: value === undefined ? undefined : weight,
    contribution: finiteOrUndefined(contributionOf(facts, value, weight)),
  });
}

/**
 * Applies the rules again, in order.
 *
 * @param combined undefined if nothing was combined
 * @param because why no rule is applied in that case
 */
function explainRules(
  context: ExplainContext,
  combined: number | undefined,
  because: string,
): Pick<ExplainedScore, 'rules' | 'score'> {
  const { plan } = context;
  let score = combined;
  let reason = because;
  const rules = plan.profile.adjustments.map((rule, k): RuleNode => {
    const compiled = plan.rules[k];
    if (score === undefined || !compiled) return notAppliedRule(plan.profile, rule, reason);
    const explained = explainRule(context, rule, compiled, score);
    score = explained.score;
    if (score === undefined) reason = `${labelOf(plan.profile.labels, rule.id)} refused`;
    return explained.node;
  });
  return { rules: ruleStage(rules), score };
}

const ruleStage = (rules: readonly RuleNode[]): StageNode<RuleNode> => stageNode('adjust', 'Rules', rules);

const notAppliedRule = ({ labels }: Profile, { id, when }: Adjustment, because: string): RuleNode =>
  omitUndefined({
    kind: 'rule',
    ...named(labels, id),
    state: 'not_evaluated',
    text: because,
    when: when?.source,
    details: [],
  });

/** @returns its node and the score after it, undefined if it refuses */
function explainRule(
  context: ExplainContext,
  rule: Adjustment,
  compiled: CompiledRule,
  before: number,
): { readonly node: RuleNode; readonly score: number | undefined } {
  const { candidate, row, evaluation, plan } = context;
  const steps: StepNode[] = [];
  const onStep = (step: RuleStep): void => void steps.push(stepNode(step, amountSource(rule[step.operation])));
  const when = rule.when?.source;
  const start = { kind: 'rule', ...named(plan.profile.labels, rule.id) } as const;
  const details = (): RuleNode['details'] => [...steps, ...readsOfRule(context, rule)];
  try {
    const score = applyRule(compiled, before, candidate, row, evaluation.context, onStep);
    const state = steps.length > 0 ? 'fired' : 'not_fired';
    // JSON has no −0; the next rule gets the score as it is.
    const place = compiled.group && `place ${evaluation.context.place} in ${rule.group?.source}`;
    const text = [when, place].filter(Boolean).join('; ');
    const result = { state, value: score + 0, text, when, details: details() } as const;
    return { node: omitUndefined(start, result), score };
  } catch (error) {
    const refusal = ruleRefusal(error);
    const refused = error instanceof CandidateRefused;
    const state = refused ? 'refused' : 'failed';
    const cause = refused ? undefined : causeOf(error);
    const text =
      cause === undefined ? `refused: ${ruleReason(rule, refusal) ?? 'its factor is 0'}` : `failed: ${cause}`;
    const result = { state, text, when, error: cause, refusal, details: details() } as const;
    return { node: omitUndefined(start, result), score: undefined };
  }
}

/** Why a rule with `refuse` refuses; undefined for any other rule. */
const ruleReason = (rule: Adjustment | undefined, refusal: Refusal | undefined): string | undefined =>
  rule?.refuse && `${rule.when?.source}${refusal === 'absent' ? ' is absent' : ''}`;

const OPERATION_TEXT: Readonly<Record<RuleStep['operation'], (amount: number) => string>> = {
  set: (amount) => `= ${formatNumber(amount)}`,
  add: (amount) => (amount < 0 ? `− ${formatNumber(-amount)}` : `+ ${formatNumber(amount)}`),
  multiply: (amount) => `× ${formatNumber(amount)}`,
  min: (amount) => `at least ${formatNumber(amount)}`,
  max: (amount) => `at most ${formatNumber(amount)}`,
};

function stepNode({ operation, amount, score }: RuleStep, from: string | undefined): StepNode {
  const text = OPERATION_TEXT[operation](amount);
  return omitUndefined({ kind: 'step', id: operation, amount: amount + 0, value: score + 0, text, from, details: [] });
}

/**
 * The nodes after the measures for a candidate that was not scored.
 *
 * @param scorers the nodes of the scorers, if some of them ran
 */
export function notScored(profile: Profile, because: string, scorers?: readonly ScorerNode[]) {
  const { labels, adjustments } = profile;
  const own = scorers ?? profile.scorers.map((entry) => notEvaluatedNode('scorer', labels, entry, because));
  return {
    combine: combineNode(profile, own),
    rules: ruleStage(adjustments.map((rule) => notAppliedRule(profile, rule, because))),
  };
}

const isTableFactor = (amount: NumberOrExpression | TableFactor | undefined): amount is TableFactor =>
  typeof amount === 'object' && 'table' in amount;

/** The source of an amount: its expression or its table; undefined for a number. */
function amountSource(amount: NumberOrExpression | TableFactor | undefined): string | undefined {
  if (typeof amount !== 'object') return undefined;
  return isTableFactor(amount) ? `the table by ${amount.by.map(({ source }) => source).join(', ')}` : amount.source;
}

function readsOfRule(context: ExplainContext, { when, set, add, multiply, min, max }: Adjustment): FieldNode[] {
  const expressions = [when, set, add, multiply, min, max].flatMap((part): readonly Expression[] =>
    typeof part !== 'object' ? [] : isTableFactor(part) ? part.by : [part],
  );
  return readsOfExpressions(expressions, context);
}

/** A scorer's summand or factor in the combined score; undefined if the method has neither. */
export function contributionOf(
  { effect }: CombineFacts,
  value: number | undefined,
  weight: number,
): number | undefined {
  if (value === undefined) return undefined;
  return effect === 'summand' ? value * weight : effect === 'factor' ? value ** weight : undefined;
}

/** The case of the profile's `weights` that applies to a candidate, if any. */
export function weightCaseOf({ score: { cases } }: Plan, candidate: unknown, row: number): string | undefined {
  const name = cases && keyText(cases.evaluate(candidate, row));
  return name !== undefined && cases?.cases.has(name) ? name : undefined;
}

/** The nodes of an explanation that may refuse. */
export interface RefusingNodes {
  readonly vetoes?: readonly VetoNode[];
  readonly combine?: CombineNode;
  readonly rules?: StageNode<RuleNode>;
}

/** The refusals among some nodes, in the order of evaluation. A `reason` in the profile replaces the unit's. */
export function refusalsIn(profile: Profile, { vetoes = [], combine, rules }: RefusingNodes): RefusalTerm[] {
  const refusals: RefusalTerm[] = [];
  const own = (entries: readonly WithReason[], id: string): string | undefined =>
    entries.find((entry) => entry.id === id)?.reason;
  const add = (kind: Refusal, id: string, reason: string): void => {
    const { id: by, label } = named(profile.labels, id);
    refusals.push(omitUndefined({ kind, by, label, reason }));
  };
  for (const node of vetoes) {
    const { id, refusal } = node;
    const reason = refusal === 'veto' ? own(profile.vetoes, id) : undefined;
    if (refusal) add(refusal, id, reason ?? refusalText(node));
  }
  for (const node of nodesOfKind(combine?.details ?? [], 'scorer')) {
    const { id, refusal } = node;
    const reason = refusal === 'absent' ? own(profile.scorers, id) : undefined;
    if (refusal) add(refusal, id, reason ?? refusalText(node));
  }
  if (combine?.refusal) add(combine.refusal, 'combine', combine.error ?? unscoredText(combine));
  for (const { id, refusal, error } of rules?.details ?? []) {
    const rule = profile.adjustments.find((one) => one.id === id);
    const reason = refusal === 'veto' ? rule?.reason : undefined;
    if (refusal) add(refusal, id, error ?? reason ?? ruleReason(rule, refusal) ?? `the factor of ${id} is 0`);
  }
  return refusals;
}

interface WithReason {
  readonly id: string;
  readonly reason: string | undefined;
}

const refusalText = ({ unit, error, state, details }: VetoNode | ScorerNode): string =>
  error ?? nodesOfKind(details, 'note').at(-1)?.text ?? (state === 'absent' ? abstainText(unit) : unit);

/** A class abstains, an expression is absent. A single word is a class: the text of an expression is never one word. */
const abstainText = (unit: string): string => (/^[\w$]+$/.test(unit) ? `${unit} abstained` : `${unit} is absent`);

function unscoredText({ formula, of, details }: CombineNode): string {
  if (formula !== undefined) {
    const missing = nodesOfKind(details, 'scorer').filter(({ value }) => value === undefined);
    const names = missing.map(({ id, label = id }) => label).join(', ');
    return `the formula ${formula} is absent${names && `; no number from ${names}`}`;
  }
  return of === 0 ? 'no scorer takes part in this run' : 'no scorer returned a score';
}

const STALE_CANDIDATE = 'the candidate has changed since the run';

/** The reason of a veto, if it is the same for all candidates: the profile's, or its expression. */
const constantReason = ({ reason, use }: Profile['vetoes'][number]): string | undefined =>
  reason ?? (use.kind === 'expr' ? use.expression.source : undefined);

/**
 * The reason of a verdict. If the reason differs by candidate, the entry that refused is evaluated again.
 *
 * @param verdict a verdict on the candidate at `position`
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
    return STALE_CANDIDATE; // An entry with `on_error: fail` fails now and did not fail in the run.
  }
}
