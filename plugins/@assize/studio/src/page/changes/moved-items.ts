import { overlapOf } from '../model/overlap.js';
import { isSelected, type Snapshot, topOf } from '../model/snapshot.js';

/** How a ranking differs from another at the top. */
export interface Moves {
  /** How many are shown. */
  readonly top: number;
  /** The positions of those that are shown now and were not before, best first; and the other way round. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** From 0 to 1. */
  readonly similarity: number;
}

/** Compares two rankings. Linear in the sizes of their tops. */
export function movesBetween(before: Snapshot, now: Snapshot): Moves {
  const top = topOf(now);
  const only = (one: Snapshot, other: Snapshot): readonly number[] => {
    const shown = one.selected ? [...one.selected] : [...one.order.subarray(0, top)];
    const wasIn = (position: number): boolean =>
      one.selected || other.selected
        ? isSelected(other, position)
        : other.ranks[position]! > 0 && other.ranks[position]! <= top;
    return shown.filter((position) => !wasIn(position));
  };
  const { rbo } = overlapOf(before.order, now.order, top);
  return { top, entered: only(now, before), left: only(before, now), similarity: rbo };
}
