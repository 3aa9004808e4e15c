import { abstain, lowerBound, type PathReader, type Score } from '../../src/sdk.js';

/** Reads the number that candidates are ranked by; undefined where it is absent. */
export type ReadField = (field: PathReader, candidate: unknown) => number | undefined;

/** The rank of a candidate whose value is absent or malformed. */
const NO_RANK = -1;

/**
 * Scores candidates by percent rank: of the others with a value, the share that is strictly below, `below / others`. It
 * is SQL's PERCENT_RANK, but 1 where there are no others (SQL: 0). Ties have the rank of their lowest.
 *
 * One sort, and a binary search for each candidate: N log N.
 *
 * @returns a score that notes `ranked` (`below`, `others`), `alone` or `absent`, each with the `field`
 */
export function percentRank(candidates: readonly unknown[], field: PathReader, read: ReadField): Score<unknown> {
  const values = Float64Array.from(candidates, (candidate) => readOrNaN(field, read, candidate));
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const ranks = Int32Array.from(values, (value) => (Number.isNaN(value) ? NO_RANK : lowerBound(sorted, value)));
  const others = sorted.length - 1;
  return (candidate, index, note) => {
    const below = ranks[index] ?? NO_RANK;
    if (below === NO_RANK) {
      read(field, candidate); // throws again where the value is malformed
      return abstain(note, 'absent', { field: field.source });
    }
    note?.(others === 0 ? 'alone' : 'ranked', { field: field.source, below, others });
    return others === 0 ? 1 : below / others;
  };
}

/** The value; NaN where it is malformed too: that candidate fails alone, and counts in no other's rank. */
function readOrNaN(field: PathReader, read: ReadField, candidate: unknown): number {
  try {
    return read(field, candidate) ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}
