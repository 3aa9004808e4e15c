import type { Spread } from './statistics.js';

/** The unit of an amount: of the subject, not of the ratio. */
export type Unit = 'ns' | 'bytes' | 'calls' | 'times' | 'power of N';

/** The goal: bounds of the ratio if there is one and nothing else is stated, otherwise of the amount. */
export interface Goal {
  readonly of?: 'amount';
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Shown if the goal is missed: what was tried and what bounds it. */
  readonly bound?: string;
}

/** One subject doing one task. */
export interface Result {
  /** The task: the same for all subjects that are compared. */
  readonly work: string;
  /** The subject. */
  readonly subject: string;
  readonly amount: Spread;
  readonly unit: Unit;
  /** The unit of work: a candidate, a call. */
  readonly per?: string;
  /** The number of candidates, scorers or vectors, if the task varies it. */
  readonly size?: number;
  /** The ratio to the time of `to`, round by round. */
  readonly ratio?: { readonly to: string; readonly times: Spread };
  readonly goal?: Goal | undefined;
  /** A note for the reader of this number. */
  readonly note?: string;
}

/** The number that the goal bounds. */
export const judged = ({ amount, ratio, goal }: Result): number =>
  (goal?.of === 'amount' ? amount : (ratio?.times ?? amount)).median;

/** Whether the goal is met; undefined without a goal. */
export function met(result: Result): boolean | undefined {
  const { goal } = result;
  if (!goal) return undefined;
  const value = judged(result);
  return value >= (goal.atLeast ?? Number.NEGATIVE_INFINITY) && value <= (goal.atMost ?? Number.POSITIVE_INFINITY);
}
