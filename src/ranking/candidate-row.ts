import { type Evaluation, idOf, type Plan, refusalOf, refuserOf, refuses, type RunResult } from '../engine/index.js';
import { refusalReason } from '../explain/index.js';
import { lazyField } from './lazy-field.js';
import type { Placed, Ranked, Refused } from './rows.js';

/** The candidate at a position of the input, with its id. */
export function placedAt<T>({ profile }: Plan, { candidates }: Evaluation, index: number): Placed<T> {
  const candidate = candidates[index];
  return { id: idOf(profile, candidate, index), index, candidate: candidate as T };
}

/**
 * The row of a candidate that was scored.
 *
 * @param row of the ranking
 */
export function rankedRow<T>({ profile }: Plan, evaluation: Evaluation, row: number, rank: number): Ranked<T> {
  const { candidates, rows, kept, scored, totals } = evaluation;
  const scoredRow = rows?.[row] ?? row;
  const index = kept[scoredRow]!;
  const candidate = candidates[index];
  // Written out twice, and nothing is spread: this runs for every row that is read.
  const id = idOf(profile, candidate, index);
  const score = totals[row]! + 0; // zero has no sign: a user would see two rows of equal score differ
  const present = scored.partial.get(scoredRow);
  if (present === undefined) return Object.freeze({ id, index, candidate: candidate as T, score, rank });
  const partial = { present, of: scored.scoring.active.length };
  return Object.freeze({ id, index, candidate: candidate as T, score, rank, partial });
}

const withReason = lazyField<'reason', string>('reason');

/** One refusal. Its reason is computed when it is read. */
function refusal(
  plan: Plan,
  evaluation: Evaluation,
  position: number,
  verdict: number,
): Refused<unknown>['all'][number] {
  let reason: string | undefined;
  const by = plan.refusers[refuserOf(verdict)] ?? 'combine';
  return withReason(
    { kind: refusalOf(verdict), by },
    () => (reason ??= refusalReason(plan, evaluation, position, verdict)),
  );
}

/**
 * The row of a candidate that was refused.
 *
 * @param position its position among the candidates of the evaluation
 * @param placed its position among all, which in a stream is another one
 * @param verdicts all that were passed on it
 */
export function refusedRow<T>(
  plan: Plan,
  evaluation: Evaluation,
  position: number,
  placed: Placed<T>,
  verdicts: readonly number[],
): Refused<T> {
  const all = verdicts.map((verdict) => refusal(plan, evaluation, position, verdict));
  const first = all[0]!;
  const { id, index, candidate } = placed;
  const { kind, by } = first;
  return Object.freeze(withReason({ id, index, candidate, kind, by, all }, () => first.reason));
}

/** The positions of all candidates that were refused, in the order of the input, without those that a fallback selects. */
function* refusedPositions({ verdicts, fallback }: RunResult): Generator<number, void> {
  for (let position = 0; position < verdicts.length; position++) {
    if (refuses(verdicts[position]!) && !fallback?.positions.includes(position)) yield position;
  }
}

/** The rows of these, each made when it is read. */
export function* refusedRows<T>(plan: Plan, result: RunResult): Generator<Refused<T>, void> {
  for (const position of refusedPositions(result)) {
    const all = result.vetoes.all?.get(position) ?? [result.verdicts[position]!];
    yield refusedRow(plan, result, position, placedAt<T>(plan, result, position), all);
  }
}

/** How many these are. */
export function refusedCount(result: RunResult): number {
  let count = 0;
  for (const _ of refusedPositions(result)) count += 1;
  return count;
}
