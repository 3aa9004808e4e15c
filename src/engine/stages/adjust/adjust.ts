import type { Failures } from '../../failures.js';
import { type RunBuffers, refuseKept } from '../../kernel/run-buffers.js';
import { type Refusal, verdictOf } from '../../kernel/verdict.js';
import { CandidateRefused, type CurrentRun, type RunContext, RunFailed } from '../../run-context.js';

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
export const applyOperation = (operation: RuleStep['operation'], score: number, amount: number): number =>
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
  if (typeof part === 'object' && part.zeroRefuses && value === 0) throw new CandidateRefused(rule.id, 'veto');
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
  state: RunContext,
  onStep?: (step: RuleStep) => void,
): number {
  state.score = score;
  if (rule.when && rule.when(candidate, row) !== true) return score;
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

/** Applies every rule to every row, in order; a rule that fails or refuses gives its candidate a verdict. */
export function adjustRows(
  rules: readonly CompiledRule[],
  firstJudge: number,
  state: RunContext,
  cell: CurrentRun,
  candidates: readonly unknown[],
  kept: Int32Array,
  totals: Float64Array,
  slab: RunBuffers,
  failures: Failures,
): void {
  if (rules.length === 0) return;
  cell.context = state;
  for (let row = 0; row < kept.length; row++) {
    const position = kept[row]!;
    if (slab.verdicts[position] !== 0) continue;
    let score = totals[row]!;
    for (let k = 0; k < rules.length; k++) {
      const rule = rules[k]!;
      try {
        score = applyRule(rule, score, candidates[position], row, state);
      } catch (error) {
        refuseKept(slab, position, verdictOf(firstJudge + k, countRefusal(rule.id, error, failures)));
        break;
      }
    }
    totals[row] = score;
  }
}

function countRefusal(rule: string, error: unknown, failures: Failures): Refusal {
  const refusal = ruleRefusal(error);
  if (refusal === 'error') failures.add(rule, 'adjust', error, 'refused');
  return refusal;
}

/** What it means for the candidate that a rule threw. */
export function ruleRefusal(error: unknown): Refusal {
  if (error instanceof RunFailed) throw error;
  return error instanceof CandidateRefused ? error.refusal : 'error';
}
