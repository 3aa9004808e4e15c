import { overlapOf } from '../model/overlap.js';
import { type Snapshot, topOf } from '../model/snapshot.js';
import { shelfOrder } from '../shelf/shelf-order.js';

/** How a ranking differs from another at the top. */
export interface Moves {
  /** How many are shown: the selected ones, or the first few if all are selected. */
  readonly top: number;
  /** The positions of those that are shown now and were not before, best first; and the other way round. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** How similar the orders are as they are shown, from 0 to 1. */
  readonly similarity: number;
}

/** Compares two rankings. Linear. */
export function movesBetween(before: Snapshot, now: Snapshot): Moves {
  const top = topOf(now);
  const [old, current] = [shownFirst(before, Math.max(top, topOf(before))), shownFirst(now, top)];
  const { rbo } = overlapOf(shelfOrder(before).order, shelfOrder(now).order, top);
  return {
    top,
    entered: [...current].filter((position) => !old.has(position)),
    left: [...old].filter((position) => !current.has(position)),
    similarity: rbo,
  };
}

function shownFirst({ order, selected }: Snapshot, top: number): ReadonlySet<number> {
  const isLimited = selected !== undefined && selected.size < order.length;
  return isLimited ? selected : new Set(order.subarray(0, top));
}
