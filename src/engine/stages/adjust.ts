import { type Expression, ExpressionStepsError, type RowChild, type RowFormula } from '../../expression/index.js';
import { type Adjustment, expressionFormula, type NumberOrExpression, type TableFactor } from '../../profile/index.js';
import type { RunContext } from '../entries.js';
import { CandidateRefused, RunFailed } from '../failures.js';
import { columnKinds } from '../kernel/loop-text.js';
import { applyOperation } from '../kernel/combine-methods.js';
import { type LoopRule, type LoopTable, makeRuleLoop, type RuleInput, type RuleLoop } from '../kernel/rule-loop.js';
import { refuseKept } from '../kernel/run-buffers.js';
import { type Refusal, verdictOf } from '../kernel/veto-loop.js';
import type { CompiledAmount, CompiledFactor, CompiledRule, Plan, RuleStep } from '../plan.js';
import type { RunState } from '../run-state.js';
import { chain, describeWrongValue, inTurns, type MaybeAsync } from '../tasks.js';
import type { CompiledScorer } from '../tier-plans.js';
import { valueKey } from './select/top-of-groups.js';
import { type Binder, keyText } from '../units/unit-compiler.js';

const NO_SCORERS: readonly CompiledScorer[] = [];

/** Applies every rule to every row, in order. If a rule fails or refuses, its candidate is refused. */
export function adjust(run: RunState): MaybeAsync<void> {
  const { plan, context, kept, buffers } = run;
  const { totals } = run.scored;
  const { rules, firstRuleRefuser } = plan;
  if (rules.length === 0) return dropRefused(run, totals);
  const { candidates } = run;
  const columns = plan.columnReader.open(candidates);
  const at = columns?.at ?? ((position: number) => candidates[position]);
  const applyAll = (row: number): void => {
    const position = kept[row]!;
    if (buffers.verdicts[position] !== 0) return;
    const candidate = at(position);
    let score = totals[row]!;
    for (let k = 0; k < rules.length; k++) {
      try {
        score = applyRule(rules[k]!, score, candidate, row, context);
      } catch (error) {
        const refusal = countRefusal(run, rules[k]!.id, error, position);
        refuseKept(buffers, position, verdictOf(firstRuleRefuser + k, refusal));
        break;
      }
    }
    totals[row] = score;
  };
  if (rules.some(({ group }) => group)) {
    const applied = adjustRuleByRule(run, totals, at);
    return chain(applied, () => dropRefused(run, totals));
  }
  const { withoutRules } = run.scored;
  if (withoutRules) {
    const rest = inTurns(run.abort, withoutRules.length, 'adjust', (from, to) => {
      for (let k = from; k < to; k++) applyAll(withoutRules[k]!);
    });
    return chain(rest, () => dropRefused(run, totals));
  }
  const { verdicts } = buffers;
  const apply: RuleInput['apply'] = (k, score, candidate, row) => applyRule(rules[k]!, score, candidate, row, context);
  const input: RuleInput = { candidates, kept, verdicts, totals, apply, applyAll, ...columns };
  // A deferred scorer has no score in some rows, and columns may have other scores.
  const isScored = run.start.secondPhase === undefined && run.scored.scoring.fromColumns === undefined;
  const loop = plan.ruleLoop(columns, isScored ? plan.score.scorers : NO_SCORERS);
  const applied = inTurns(run.abort, kept.length, 'adjust', (from, to) => loop(input, from, to));
  return chain(applied, () => dropRefused(run, totals));
}

/** Applies each rule to every row before the next, because the places in a group depend on the scores so far of all rows. */
function adjustRuleByRule(
  run: RunState,
  totals: Float64Array,
  at: (position: number) => unknown,
  k = 0,
): MaybeAsync<void> {
  const { plan, context, kept, buffers } = run;
  const rule = plan.rules[k];
  if (!rule) return undefined;
  const refusing = (row: number, work: () => void): void => {
    const position = kept[row]!;
    if (buffers.verdicts[position] !== 0) return;
    try {
      work();
    } catch (error) {
      refuseKept(buffers, position, verdictOf(plan.firstRuleRefuser + k, countRefusal(run, rule.id, error, position)));
    }
  };
  const { group } = rule;
  if (group) {
    const groups = new Map<unknown, number[]>();
    for (let row = 0; row < kept.length; row++) {
      refusing(row, () => {
        context.score = totals[row]!;
        const value = group.of(at(kept[row]!), row);
        const key = value === undefined ? undefined : valueKey(value);
        const rows = groups.get(key);
        if (rows) rows.push(row);
        else groups.set(key, [row]);
      });
    }
    context.places[k] = placesIn(groups, totals);
  }
  const applied = inTurns(run.abort, kept.length, 'adjust', (from, to) => {
    for (let row = from; row < to; row++)
      refusing(row, () => void (totals[row] = applyRule(rule, totals[row]!, at(kept[row]!), row, context)));
  });
  return chain(applied, () => adjustRuleByRule(run, totals, at, k + 1));
}

/** The place of each row in its group by score, from 1; equal scores in the order of the input. Rows without a group are first. */
function placesIn(groups: ReadonlyMap<unknown, readonly number[]>, totals: Float64Array): Float64Array {
  const places = new Float64Array(totals.length).fill(1);
  for (const [key, rows] of groups) {
    if (key === undefined) continue;
    const ordered = rows.toSorted((a, b) => totals[b]! - totals[a]! || a - b);
    for (const [n, row] of ordered.entries()) places[row] = n + 1;
  }
  return places;
}

function countRefusal({ failures }: RunState, rule: string, error: unknown, position: number): Refusal {
  if (error instanceof ExpressionStepsError) throw new RunFailed(rule, 'adjust', error, position);
  const refusal = ruleRefusal(error);
  if (refusal === 'error') failures.add(rule, 'adjust', error, 'refused');
  return refusal;
}

/** The kind of refusal for an error that a rule threw. */
export function ruleRefusal(error: unknown): Refusal {
  if (error instanceof RunFailed) throw error;
  return error instanceof CandidateRefused ? error.refusal : 'error';
}

/** Sets the rows of the ranking: the rows of Tier 2 that neither scoring nor a rule refused. */
function dropRefused(run: RunState, totals: Float64Array): void {
  const { kept, verdicts, buffers } = run;
  if (buffers.refusedAfterKept === 0) {
    run.totals = totals;
    return;
  }
  const rows = new Int32Array(kept.length - buffers.refusedAfterKept);
  const left = new Float64Array(rows.length);
  for (let row = 0, r = 0; row < kept.length; row++) {
    if (verdicts[kept[row]!] !== 0) continue;
    rows[r] = row;
    left[r++] = totals[row]!;
  }
  run.rows = rows;
  run.totals = left;
}

const ORDER = ['set', 'add', 'multiply', 'min', 'max'] as const;

function amountOf(
  rule: CompiledRule,
  operation: (typeof ORDER)[number],
  candidate: unknown,
  row: number,
): number | undefined {
  const part = rule[operation];
  if (part === undefined) return undefined;
  const value = (typeof part === 'function' ? part : part.factor)(candidate, row);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new TypeError(
      `${operation} gave ${typeof value === 'number' ? value : `a ${typeof value}`}; expected a finite number`,
    );
  }
  if (typeof part === 'object' && part.zeroRefuses && value === 0) throw new CandidateRefused(rule.id, 'veto');
  return value;
}

/**
 * Applies one rule if its `when` holds: set, add, multiply, then the bounds `min` and `max`. An absent `when` or amount
 * has no effect.
 *
 * @returns the score after the rule
 * @throws CandidateRefused if the rule or a factor of 0 refuses; any error of an expression
 */
export function applyRule(
  rule: CompiledRule,
  score: number,
  candidate: unknown,
  row: number,
  context: RunContext,
  onStep?: (step: RuleStep) => void,
): number {
  context.score = score;
  if (rule.group) context.place = context.places[rule.group.at]?.[row] ?? 1;
  if (rule.when) {
    const fires = rule.when(candidate, row);
    if (rule.refuse && fires === undefined && rule.refuse.onAbsent === 'refuse')
      throw new CandidateRefused(rule.id, 'absent');
    if (rule.refuse && fires !== undefined && typeof fires !== 'boolean')
      throw new TypeError(`expected true or false from the when, found ${describeWrongValue(fires)}`);
    if (fires !== true) return score;
  }
  if (rule.refuse) throw new CandidateRefused(rule.id, 'veto');
  let result = score;
  for (const operation of ORDER) {
    const amount = amountOf(rule, operation, candidate, row);
    if (amount === undefined) continue;
    result = applyOperation(operation, result, amount);
    onStep?.({ operation, amount, score: result });
  }
  if (!Number.isFinite(result)) throw new RangeError(`it made the score ${result}`);
  return result;
}

/** Compiles one rule on the combined score. */
export function compileRule(rule: Adjustment, at: number, binder: Binder): CompiledRule {
  const amount = (value: NumberOrExpression | undefined): CompiledAmount | undefined =>
    value === undefined ? undefined : typeof value === 'number' ? () => value : binder.bind(value);
  const { multiply } = rule;
  const isTable = typeof multiply === 'object' && 'table' in multiply;
  const factor = isTable ? undefined : amount(multiply);
  return {
    id: rule.id,
    inLoop: (scores) =>
      ruleInLoop(rule, (expression) => ({ ...expressionFormula(expression, binder.variables), children: scores })),
    group: rule.group && { of: binder.bind(rule.group), at },
    // Unchecked if it refuses: null is a failure, as from a veto, not an absent value.
    when: rule.when && (rule.refuse ? binder.bindUnchecked(rule.when) : binder.bind(rule.when)),
    set: amount(rule.set),
    add: amount(rule.add),
    multiply: isTable ? tableFactor(multiply, binder) : factor && { factor, keys: [], zeroRefuses: false },
    min: amount(rule.min),
    max: amount(rule.max),
    refuse: rule.refuse,
  };
}

function ruleInLoop(rule: Adjustment, formula: (expression: Expression) => RowFormula): LoopRule {
  const steps: LoopRule['steps'][number][] = [];
  for (const operation of ORDER) {
    const amount = rule[operation];
    if (amount === undefined) continue;
    if (typeof amount === 'number') steps.push({ operation, amount });
    else if ('table' in amount) steps.push({ operation, amount: tableInLoop(amount, formula) });
    else steps.push({ operation, amount: formula(amount) });
  }
  return { when: rule.when && formula(rule.when), refuses: rule.refuse !== undefined, steps };
}

const tableInLoop = (
  { table, by, missing, zero }: TableFactor,
  formula: (expression: Expression) => RowFormula,
): LoopTable => ({ table, by: by.map(formula), missing, zeroRefuses: zero === 'refuse' });

/** Makes the loop of some rules for each kind of candidates and each list of scorers, when it is first needed. */
export function ruleLoops(rules: readonly CompiledRule[], codegen: boolean): Plan['ruleLoop'] {
  const loops = new WeakMap<readonly CompiledScorer[], Map<string, RuleLoop>>();
  return (columns, scorers) => {
    const ofScorers = loops.get(scorers) ?? new Map<string, RuleLoop>();
    loops.set(scorers, ofScorers);
    const kind = columns ? columnKinds(columns.table, columns.fields) : 'objects';
    const parts = () => {
      const scores = scoresInLoop(scorers);
      return rules.map((rule) => rule.inLoop(scores));
    };
    const loop = ofScorers.get(kind) ?? makeRuleLoop(parts(), codegen, columns?.table);
    ofScorers.set(kind, loop);
    return loop;
  };
}

/** The scores that rules read as part of a loop, by the name of the variable. Their functions decide about all others. */
function scoresInLoop(scorers: readonly CompiledScorer[]): RowFormula['children'] {
  const scores = new Map<string, RowChild>();
  for (const { entry, unit } of scorers) {
    const { id, range, outOfRange, onAbsent } = entry;
    const formula = entry.when ? undefined : unit.formula?.();
    if (!formula) continue;
    const bounds = range && outOfRange !== 'warn' ? range : undefined;
    scores.set(`scores.${id}`, {
      formula,
      onAbsent: typeof onAbsent === 'number' ? onAbsent : undefined,
      range: bounds,
    });
  }
  return scores;
}

/** Looks the factor up, one key per level. If a key is absent, the rule does not apply. */
function tableFactor({ table, by, missing, zero }: TableFactor, binder: Binder): CompiledFactor {
  const keys = by.map((key) => binder.bind(key));
  const factor: CompiledAmount = (candidate, row) => {
    let at: unknown = table;
    for (const keyOf of keys) {
      const key = keyOf(candidate, row);
      if (key === undefined) return undefined;
      at = at instanceof Map ? at.get(keyText(key)) : undefined;
    }
    return typeof at === 'number' ? at : missing;
  };
  return { factor, keys, zeroRefuses: zero === 'refuse' };
}
