/** Two players by position. */
export type Pair = readonly [one: number, other: number];

/** The result of a tournament. */
interface Standing {
  /** The probability of each player to beat an average one; the error of one of which a comparison failed. */
  readonly scores: readonly (number | Error)[];
  readonly comparisons: readonly Comparison[];
}

/**
 * Compares players in rounds, each with one other player and never twice with the same. Players with similar standings
 * meet, which is most informative. If a comparison fails, its player takes no further part, so that all scores rest on
 * the same number of comparisons.
 *
 * @param rounds the maximum number of rounds
 * @param compare returns the share that the first player of each pair won, from 0 to 1, or an error
 */
export async function tournament(
  players: number,
  rounds: number,
  compare: (pairs: readonly Pair[]) => Promise<readonly (number | Error)[]>,
): Promise<Standing> {
  const comparisons: Comparison[] = [];
  const failures = new Map<number, Error>();
  const met = new Set<number>();
  const keyOf = (one: number, other: number): number => Math.min(one, other) * players + Math.max(one, other);
  const all = Array.from({ length: players }, (_, player) => player);
  let strengths = bradleyTerry(players, comparisons);
  for (let round = 0; round < rounds; round++) {
    const order = all.filter((player) => !failures.has(player)).sort((a, b) => strengths[b]! - strengths[a]! || a - b);
    const pairs = swissPairs(order, (one, other) => met.has(keyOf(one, other)));
    if (pairs.length === 0) break;
    // oxlint-disable-next-line no-await-in-loop -- each round depends on the previous one
    const results = await compare(pairs);
    for (const [k, [one, other]] of pairs.entries()) {
      met.add(keyOf(one, other));
      const won = results[k]!;
      if (won instanceof Error) for (const player of [one, other]) failures.set(player, won);
      else comparisons.push({ one, other, won });
    }
    strengths = bradleyTerry(players, comparisons);
  }
  return { scores: all.map((player) => failures.get(player) ?? strengths[player]!), comparisons };
}

/**
 * The pairs of one round of a Swiss tournament: each player meets the next player in the order that it has not met. If
 * the number is odd, or the last players have met all others, some sit out.
 *
 * @param order the players, the best first
 * @param hasMet whether two players have met
 */
export function swissPairs(
  order: readonly number[],
  hasMet: (one: number, other: number) => boolean,
): readonly (readonly [number, number])[] {
  const free = [...order];
  const pairs: [number, number][] = [];
  for (let one = free.shift(); one !== undefined; one = free.shift()) {
    const player = one;
    const at = free.findIndex((other) => !hasMet(player, other));
    const [other] = at < 0 ? [] : free.splice(at, 1);
    if (other !== undefined) pairs.push([player, other]);
  }
  return pairs;
}

/** The result of one comparison. */
export interface Comparison {
  readonly one: number;
  readonly other: number;
  /** How much of it `one` has won: 1 all, 0 nothing. */
  readonly won: number;
}

/** The iteration stops below this change of the logarithm of a strength. */
const PRECISION = 1e-12;
/** The maximum number of steps, far more than needed. Rounding could keep the last digit from converging. */
const MAX_STEPS = 10_000;

/**
 * The strengths of players by the model of Bradley and Terry (Biometrika 39, 1952), in which a player of strength p
 * beats one of strength q with the probability p / (p + q). The result is the most likely strengths under a prior: each
 * player has also drawn once with a player of strength 1. The prior keeps strengths finite, and connects players that
 * no chain of comparisons connects.
 *
 * It applies Newton's method to the logarithm of one strength after the other. As the third derivative never exceeds
 * the second, a step of at most 1 always improves the likelihood. The time of one round is proportional to the number
 * of comparisons.
 *
 * @returns for each player the probability to beat one of strength 1, between 0 and 1; 0.5 without comparisons
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
