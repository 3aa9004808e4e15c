import { refusalOf, refuserOf, refuses } from '../engine/kernel/verdict.js';
import type { Plan } from '../engine/plan.js';
import type { Evaluation, RunResult } from '../engine/run-state.js';
import { refusalReason } from '../explain/refusal-reason.js';
import { lazyField } from './lazy-field.js';
import { placedAt } from './candidate-row.js';
import type { Placed, Refused } from './rows.js';

const withReason = lazyField<'reason', string>('reason');

/** One refusal, whose reason is made when it is read. */
function refusal(plan: Plan, judged: Evaluation, position: number, verdict: number): Refused<unknown>['all'][number] {
  let reason: string | undefined;
  const by = plan.refusers[refuserOf(verdict)] ?? 'combine';
  return withReason(
    { kind: refusalOf(verdict), by },
    () => (reason ??= refusalReason(plan, judged, position, verdict)),
  );
}

/**
 * A candidate that was refused.
 *
 * @param position its place among the candidates that were judged together
 * @param verdicts all that were passed on it
 */
export function refusedRow<T>(
  plan: Plan,
  judged: Evaluation,
  position: number,
  placed: Placed<T>,
  verdicts: readonly number[],
): Refused<T> {
  const all = verdicts.map((verdict) => refusal(plan, judged, position, verdict));
  const first = all[0]!;
  const { id, index, candidate } = placed;
  const { kind, by } = first;
  return Object.freeze(withReason({ id, index, candidate, kind, by, all }, () => first.reason));
}

/** Every candidate that was refused, in the order of the input: but for one that a fallback selected after all. */
export function refusedRows<T>(plan: Plan, outcome: RunResult): Refused<T>[] {
  const { verdicts, vetoes, fallback } = outcome;
  const refused: Refused<T>[] = [];
  for (const [position, verdict] of verdicts.entries()) {
    if (!refuses(verdict) || fallback?.positions.includes(position)) continue;
    const all = vetoes.all?.get(position) ?? [verdict];
    refused.push(refusedRow(plan, outcome, position, placedAt<T>(plan, outcome, position), all));
  }
  return refused;
}
