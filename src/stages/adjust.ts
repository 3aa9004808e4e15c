import { drop, type Slab } from '../matrix/slab.js';
import { type Refusal, verdictOf } from '../matrix/verdict.js';
import type { Failures } from './failures.js';
import { type Cell, Refused, RunFailed, type RunState } from './plan.js';

/** An amount of a rule: for the candidate and the score so far. */
export type CompiledAmount = (candidate: unknown, row: number) => unknown;

/** A factor: undefined where what chooses it is absent, so that the rule does not fire. */
export interface CompiledFactor {
  readonly factor: CompiledAmount;
  /** Whether a factor of 0 refuses the candidate. */
  readonly zeroRefuses: boolean;
}

export interface CompiledRule {
  readonly id: string;
  readonly when: CompiledAmount | undefined;
  readonly set: CompiledAmount | undefined;
  readonly add: CompiledAmount | undefined;
  readonly multiply: CompiledFactor | undefined;
  readonly min: CompiledAmount | undefined;
  readonly max: CompiledAmount | undefined;
}

/** One thing that a rule did to a score. */
export interface RuleStep {
  readonly operation: 'set' | 'add' | 'multiply' | 'min' | 'max';
  readonly amount: number;
  readonly score: number;
}

const OPERATIONS = {
  set: (_score: number, amount: number) => amount,
  add: (score: number, amount: number) => score + amount,
  multiply: (score: number, amount: number) => score * amount,
  min: (score: number, amount: number) => Math.max(score, amount),
  max: (score: number, amount: number) => Math.min(score, amount),
} as const;

/** What one operation of a rule makes of a score. */
export const stepped = (operation: RuleStep['operation'], score: number, amount: number): number =>
  OPERATIONS[operation](score, amount);

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
  if (typeof part === 'object' && part.zeroRefuses && value === 0) throw new Refused(rule.id, 'veto');
  return value;
}

/**
 * Applies one rule, where it fires: set, add, multiply, then the bounds `min` and `max`. An absent `when` or amount
 * does nothing.
 */
export function applyRule(
  rule: CompiledRule,
  score: number,
  candidate: unknown,
  row: number,
  state: RunState,
  onStep?: (step: RuleStep) => void,
): number {
  state.score = score;
  if (rule.when && rule.when(candidate, row) !== true) return score;
  let result = score;
  for (const operation of ORDER) {
    const amount = amountOf(rule, operation, candidate, row);
    if (amount === undefined) continue;
    result = stepped(operation, result, amount);
    onStep?.({ operation, amount, score: result });
  }
  if (!Number.isFinite(result)) throw new RangeError(`it made the score ${result}`);
  return result;
}

/** Applies every rule to every row, in order; a rule that fails or refuses gives its candidate a verdict. */
export function adjust(
  rules: readonly CompiledRule[],
  firstJudge: number,
  state: RunState,
  cell: Cell,
  candidates: readonly unknown[],
  kept: Int32Array,
  totals: Float64Array,
  slab: Slab,
  failures: Failures,
): void {
  if (rules.length === 0) return;
  cell.state = state;
  for (let row = 0; row < kept.length; row++) {
    const position = kept[row]!;
    if (slab.verdicts[position] !== 0) continue;
    let score = totals[row]!;
    for (let k = 0; k < rules.length; k++) {
      const rule = rules[k]!;
      try {
        score = applyRule(rule, score, candidates[position], row, state);
      } catch (error) {
        drop(slab, position, verdictOf(firstJudge + k, refusedBy(rule.id, error, failures)));
        break;
      }
    }
    totals[row] = score;
  }
}

function refusedBy(rule: string, error: unknown, failures: Failures): Refusal {
  const refusal = ruleRefusal(error);
  if (refusal === 'error') failures.add(rule, 'adjust', error, 'refused');
  return refusal;
}

/** What it means for the candidate that a rule threw. */
export function ruleRefusal(error: unknown): Refusal {
  if (error instanceof RunFailed) throw error;
  return error instanceof Refused ? error.refusal : 'error';
}
