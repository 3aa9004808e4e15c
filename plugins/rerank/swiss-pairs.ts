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
