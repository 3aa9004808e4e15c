/** Something that takes room. */
interface Costed {
  readonly index: number;
  readonly cost: number;
}

/** Rows by their cost, the largest first; of equal ones, the one that was given first. */
export const largestFirst = <R extends Costed>(rows: readonly R[]): R[] => rows.toSorted((a, b) => b.cost - a.cost);

/**
 * The fewest rows whose cost covers what another one lacked: those that are in its place.
 *
 * @param rows   the largest first
 * @param lacked how much room was missing
 * @returns none where all of them together do not cover it
 */
export function fewestCovering<R extends Costed>(rows: Iterable<R>, lacked: number): readonly R[] {
  const fewest: R[] = [];
  let covered = 0;
  for (const row of rows) {
    fewest.push(row);
    covered += row.cost;
    if (covered >= lacked) return fewest;
  }
  return [];
}
