import { abstain, type PathReader, type Score } from '../../src/sdk.js';

/** Reads what candidates are ranked by; undefined is absent. */
export type ReadField = (field: PathReader, candidate: unknown) => number | undefined;

/** Stands for a candidate without a rank: it has no value, or a malformed one. */
const NO_RANK = -1;

/**
 * Scores candidates by where they stand: of the others that have a value, the share that is strictly below,
 * `below / others`, and 1 where there are no others. Ties stand where their lowest does.
 *
 * One sort and a binary search each, N log N, and the very scores of comparing each with each.
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
      read(field, candidate); // a malformed value fails here, as it did before
      return abstain(note, 'absent', { field: field.source });
    }
    note?.(others === 0 ? 'alone' : 'ranked', { field: field.source, below, others });
    return others === 0 ? 1 : below / others;
  };
}

/** A malformed value is a failure of that candidate alone, and counts in nobody's rank. */
function readOrNaN(field: PathReader, read: ReadField, candidate: unknown): number {
  try {
    return read(field, candidate) ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}

/** How many of the sorted values are strictly below this one. */
function lowerBound(sorted: Float64Array, value: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? value) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
