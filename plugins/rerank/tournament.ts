/** Two players, by their positions. */
export type Pair = readonly [one: number, other: number];

/** How a tournament has ended. */
interface Standing {
  /** The probability of each player to beat an average one; the error of one of which a comparison failed. */
  readonly scores: readonly (number | Error)[];
  readonly comparisons: readonly Comparison[];
}

/**
 * Compares players, each with one other in a round and with none twice: those that stand alike so far, which a
 * comparison says most about. One of which a comparison fails takes part in no further one, so that all scores rest
 * on as many.
 *
 * @param rounds  how many there may be
 * @param compare how much the first of each pair has won: from 0 to 1, or an error
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
    // oxlint-disable-next-line no-await-in-loop -- what a round compares depends on the one before it
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
 * The pairs of one round of a Swiss tournament: each player meets the next in the order that it has not met. Of an odd
 * number, and where the last have met all that are left, some sit out.
 *
 * @param order  the players, the best so far first
 * @param hasMet whether two have met before
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
