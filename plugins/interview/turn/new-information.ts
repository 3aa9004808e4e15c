import { answersOf, type Utterance } from './history.js';

/** The rate of new concepts below which a turn brought little new. */
const LOW_RATE = 0.2;

/** The share of an answer's concepts that are new, 0 to 1; 1 for an answer without concepts. */
export function newInformationRate(concepts: readonly string[], known: ReadonlySet<string>): number {
  if (concepts.length === 0) return 1;
  return concepts.filter((concept) => !known.has(concept.toLowerCase())).length / concepts.length;
}

/** The number of turns in a row with little new, after one more turn with this rate. */
export const nextLowInfoStreak = (rate: number, before: number): number => (rate < LOW_RATE ? before + 1 : 0);

/** The same for a whole history, by the concepts of its answers. */
export function lowInfoStreak(history: readonly Utterance[]): number {
  const known = new Set<string>();
  let streak = 0;
  for (const { concepts } of answersOf(history)) {
    streak = nextLowInfoStreak(newInformationRate(concepts, known), streak);
    for (const concept of concepts) known.add(concept.toLowerCase());
  }
  return streak;
}
