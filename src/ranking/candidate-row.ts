import { idOf } from '../engine/candidate-id.js';
import type { Plan } from '../engine/plan.js';
import type { Evaluation } from '../engine/run-state.js';
import type { Placed, Ranked } from './rows.js';

/** A candidate with its name, by its position in the input. */
export function placedAt<T>({ profile }: Plan, { candidates }: Evaluation, index: number): Placed<T> {
  const candidate = candidates[index];
  return { id: idOf(profile, candidate, index), index, candidate: candidate as T };
}

/**
 * A candidate that was scored.
 *
 * @param row of the ranking
 */
export function rankedRow<T>({ profile }: Plan, judged: Evaluation, row: number, rank: number): Ranked<T> {
  const { candidates, rows, kept, scored, totals } = judged;
  const scoredRow = rows?.[row] ?? row;
  const index = kept[scoredRow]!;
  const candidate = candidates[index];
  // Written out, here and below: this is made for every row that somebody reads.
  const id = idOf(profile, candidate, index);
  const score = totals[row]!;
  const present = scored.partial.get(scoredRow);
  if (present === undefined) return Object.freeze({ id, index, candidate: candidate as T, score, rank });
  const partial = { present, of: scored.scoring.active.length };
  return Object.freeze({ id, index, candidate: candidate as T, score, rank, partial });
}
