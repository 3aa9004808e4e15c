import type { ScorerEntry } from '../../profile/index.js';
import type { Interval } from '../../evaluate/significance/intervals.js';
import { roundWeights } from '../model/model.js';
import type { Interview } from './interview.js';

/** What answers say of one scorer. */
export interface AskedScorer {
  readonly id: string;
  /** Its weight in the profile. */
  readonly before: number;
  /** On the scale of the profile's weights; what it was before, where nothing was answered. */
  readonly weight: number;
  /** Where the weight lies with a probability of 90 %: the fewer answers, the wider. Undefined where there are none. */
  readonly likely?: Interval | undefined;
}

/** How probable it is that a weight lies where it is said to. */
const LIKELY = 0.9;

/** The weights that are believed, as a person would write them; those of the profile where nothing was answered. */
export function askedScorers(
  entries: readonly ScorerEntry[],
  interview: Interview,
  answers: number,
  isRelative: boolean,
): readonly AskedScorer[] {
  const before = entries.map(({ weight }) => (typeof weight === 'number' ? weight : 0));
  const sum = before.reduce((all, one) => all + Math.abs(one), 0) || (isRelative ? 1 : 0);
  const believed = Array.from(interview.weights, (weight) => ({ weight }));
  const found = roundWeights(believed, sum);
  const scale = found.reduce((all, { weight }) => all + weight, 0); // those that are believed sum to 1
  const likely = interview.likely(LIKELY);
  return entries.map(({ id }, k) => ({
    id,
    before: before[k]!,
    weight: answers === 0 ? before[k]! : found[k]!.weight,
    likely: answers === 0 ? undefined : [scale * likely[k]![0], scale * likely[k]![1]],
  }));
}
