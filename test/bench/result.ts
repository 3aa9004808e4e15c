import type { Spread } from './statistics.js';

/** What an amount counts: of the subject, not of the ratio. */
export type Unit = 'ns' | 'bytes' | 'calls' | 'power of N';

/** What is promised: bounds of the ratio, where there is one and nothing else is said, else of the amount. */
export interface Goal {
  readonly of?: 'amount';
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Said where it is missed: what was tried and what bounds it. */
  readonly bound?: string;
}

/** One subject doing one work. */
export interface Result {
  /** What is done: the same for all that do it side by side. */
  readonly work: string;
  /** Who does it. */
  readonly subject: string;
  readonly amount: Spread;
  readonly unit: Unit;
  /** What one amount is for: a candidate, a call. */
  readonly per?: string;
  /** How many candidates, scorers or vectors it is about, where that is what the work varies. */
  readonly size?: number;
  /** How many times what `to` took, round by round. */
  readonly ratio?: { readonly to: string; readonly times: Spread };
  readonly goal?: Goal | undefined;
  /** What a reader has to know of this number. */
  readonly note?: string;
}

/** The number that the goal is about. */
export const judged = ({ amount, ratio, goal }: Result): number =>
  (goal?.of === 'amount' ? amount : (ratio?.times ?? amount)).median;

/** Whether the goal is met; undefined where there is none. */
export function met(result: Result): boolean | undefined {
  const { goal } = result;
  if (!goal) return undefined;
  const value = judged(result);
  return value >= (goal.atLeast ?? Number.NEGATIVE_INFINITY) && value <= (goal.atMost ?? Number.POSITIVE_INFINITY);
}
