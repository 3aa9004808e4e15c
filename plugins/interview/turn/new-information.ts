import { answersOf, type Utterance } from './history.js';

/** Less new than this is little. */
const LOW_RATE = 0.2;

/** How much of what an answer spoke of was new, 0 to 1; an answer that spoke of no concept counts as all new. */
export function newInformationRate(concepts: readonly string[], known: ReadonlySet<string>): number {
  if (concepts.length === 0) return 1;
  return concepts.filter((concept) => !known.has(concept.toLowerCase())).length / concepts.length;
}

/** The turns in a row with little new, after one more with this rate. */
export const nextLowInfoStreak = (rate: number, before: number): number => (rate < LOW_RATE ? before + 1 : 0);

/** The same from the concepts that the answers of a history say they spoke of. */
export function lowInfoStreak(history: readonly Utterance[]): number {
  const known = new Set<string>();
  let streak = 0;
  for (const { concepts } of answersOf(history)) {
    streak = nextLowInfoStreak(newInformationRate(concepts, known), streak);
    for (const concept of concepts) known.add(concept.toLowerCase());
  }
  return streak;
}
