import { bradleyTerry, type Comparison } from './bradley-terry.js';
import { swissPairs } from './swiss-pairs.js';

/** Two players, by their positions. */
export type Pair = readonly [one: number, other: number];

/** How a tournament has ended. */
export interface Standing {
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
