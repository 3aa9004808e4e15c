/** A row with its cost. */
interface Costed {
  readonly index: number;
  readonly cost: number;
}

/** Rows by their cost, the largest first; of equal ones, the one that was given first. */
export const largestFirst = <R extends Costed>(rows: readonly R[]): R[] => rows.toSorted((a, b) => b.cost - a.cost);

/**
 * The fewest rows whose cost covers what another row lacked: they are reported as kept in its place.
 *
 * @param rows   the largest first
 * @param lacked the cost that did not fit
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
