import { overlapOf } from '../model/overlap.js';
import { type Snapshot, topOf } from '../model/snapshot.js';
import { shelfOrder } from '../shelf/shelf-order.js';

/** How a ranking differs from another at the top. */
export interface Moves {
  /** How many are shown: the selected ones, or the first few if all are selected. */
  readonly top: number;
  /** Whether another number is shown than before, so that one order has more items at the top. */
  readonly isResized: boolean;
  /** The positions of those that are shown now and were not before, best first; and the other way round. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** How similar the orders are as they are shown, from 0 to 1. */
  readonly similarity: number;
}

/** Compares two rankings. Linear. */
export function movesBetween(before: Snapshot, now: Snapshot): Moves {
  const [top, topBefore] = [topOf(now), topOf(before)];
  const [old, current] = [shownFirst(before, Math.max(top, topBefore)), shownFirst(now, top)];
  const { rbo } = overlapOf(shelfOrder(before).order, shelfOrder(now).order, top);
  return {
    top,
    isResized: isLimited(now) && isLimited(before) && top !== topBefore,
    entered: [...current].filter((position) => !old.has(position)),
    left: [...old].filter((position) => !current.has(position)),
    similarity: rbo,
  };
}

function shownFirst(of: Snapshot, top: number): ReadonlySet<number> {
  return isLimited(of) ? of.selected : new Set(of.order.subarray(0, top));
}

/** Whether only some of the ranked items are shown. */
const isLimited = (of: Snapshot): of is Snapshot & { readonly selected: ReadonlySet<number> } =>
  of.selected !== undefined && of.selected.size < of.order.length;
