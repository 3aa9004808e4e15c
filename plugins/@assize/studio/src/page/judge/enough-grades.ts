import type { StudioModel } from '../model/studio-model.js';
import { MEASURED_RANKS, NO_QUALITY, type Quality } from '../model/quality.js';

/** The share of the measured ranks below which `assize evaluate` warns that too little is judged. */
const LEAST_JUDGED = 0.5;

/** Why the quality is not shown yet; undefined if there are enough grades. */
export interface TooFewGrades {
  /** How many more of the first items need a grade. */
  readonly more: number;
  readonly ranks: number;
  /** Whether there are enough grades, but all of them are the same. */
  readonly areSame: boolean;
}

/** Whether the grades of a query say how good its order is: half of the measured ranks, and two different grades. */
export function tooFewGrades({
  data: { grades = [], candidates },
  shown: { order },
}: StudioModel): TooFewGrades | undefined {
  const ranks = Math.min(MEASURED_RANKS, order.length);
  let judged = 0;
  for (const position of order.subarray(0, ranks)) if (typeof grades[position] === 'number') judged += 1;
  const more = Math.max(0, Math.ceil(ranks * LEAST_JUDGED) - judged);
  const first = grades[0] ?? 0;
  const areSame = candidates.length > 0 && grades.every((grade) => (grade ?? 0) === first);
  return more > 0 || areSame ? { more, ranks, areSame } : undefined;
}

/** The quality of the order that is shown and of the baseline; empty if the only grades are too few grades of a person. */
export function shownQuality(
  model: StudioModel,
  hasOtherGrades: boolean,
): { readonly now: Quality; readonly before: Quality } {
  if (!hasOtherGrades && tooFewGrades(model)) return { now: NO_QUALITY, before: NO_QUALITY };
  return { now: model.qualityOf(model.shown), before: model.qualityOf(model.baseline) };
}
