/** How two of some players compared. */
export interface Comparison {
  readonly one: number;
  readonly other: number;
  /** How much of it `one` has won: 1 all, 0 nothing. */
  readonly won: number;
}

/** Below this change of the logarithm of a strength, a further step tells nothing. */
const PRECISION = 1e-12;
/** Far more steps than are needed; rounding could keep the last digit from settling. */
const MAX_STEPS = 10_000;

/**
 * The strengths of players by the model of Bradley and Terry (Biometrika 39, 1952), in which one of strength p beats
 * another of strength q with the probability p / (p + q): the most probable strengths, where each has also drawn once with
 * a player of strength 1. That keeps them finite, and compares those that no chain of comparisons connects.
 *
 * By Newton's method for the logarithm of one strength after the other. As the third derivative is nowhere larger than the
 * second, a step of at most 1 always climbs. A round of steps takes as long as there are comparisons.
 *
 * @returns for each player the probability that it beats one of strength 1: above 0 and below 1, 0.5 without comparisons
 */
export function bradleyTerry(players: number, comparisons: readonly Comparison[]): Float64Array {
  const won = new Float64Array(players).fill(0.5);
  const rivals = Array.from({ length: players }, (): number[] => []);
  for (const { one, other, won: share } of comparisons) {
    won[one]! += share;
    won[other]! += 1 - share;
    rivals[one]!.push(other);
    rivals[other]!.push(one);
  }
  const strengths = new Float64Array(players).fill(1);
  for (let step = 0, change = 1; step < MAX_STEPS && change > PRECISION; step++) {
    change = 0;
    for (const [player, strength] of strengths.entries()) {
      const odds = [1, ...rivals[player]!.map((rival) => strengths[rival]!)].map(
        (rival) => strength / (strength + rival),
      );
      const slope = odds.reduce((rest, chance) => rest - chance, won[player]!);
      const bend = odds.reduce((sum, chance) => sum + chance * (1 - chance), 0);
      const climb = Math.max(-1, Math.min(1, slope / bend));
      strengths[player] = strength * Math.exp(climb);
      change = Math.max(change, Math.abs(climb));
    }
  }
  return strengths.map((strength) => strength / (strength + 1));
}
