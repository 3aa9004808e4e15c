import { movesBetween } from '../changes/moved-items.js';
import type { Snapshot } from '../model/snapshot.js';

/** How a ranking differs from another one. */
export interface Effect {
  /** The number of candidates that are compared: the selected ones, or the first few if all are selected. */
  readonly top: number;
  /** Whether another number is selected than before. */
  readonly isResized: boolean;
  /** The positions of the candidates that come into the top, and of those that leave it. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** How many candidates more are ranked; negative if fewer are. */
  readonly ranked: number;
  /** How many of the candidates that both rank have another rank. */
  readonly moved: number;
}

/** Compares two rankings of the same candidates, as the bar of the page does. Linear. */
export function effectOf(before: Snapshot, now: Snapshot): Effect {
  const { top, isResized, entered, left } = movesBetween(before, now);
  let moved = 0;
  for (const position of now.order) {
    const rank = before.ranks[position]!;
    if (rank > 0 && rank !== now.ranks[position]) moved += 1;
  }
  return { top, isResized, entered, left, ranked: now.order.length - before.order.length, moved };
}

/** The effect in words: `12 enter the top 48, 3 leave; 40 fewer are ranked`. */
export function effectWords({ top, isResized, entered, left, ranked, moved }: Effect): string {
  const parts = [
    entered.length + left.length === 0
      ? `The top ${top} stays the same`
      : isResized
        ? `${top} are shown now: ${entered.length} new, and ${left.length} no longer shown`
        : `${entered.length} ${entered.length === 1 ? 'enters' : 'enter'} the top ${top}, ${left.length} ${left.length === 1 ? 'leaves' : 'leave'}`,
    ...(ranked === 0 ? [] : [`${Math.abs(ranked)} ${ranked < 0 ? 'fewer' : 'more'} are ranked`]),
    `${moved} ${moved === 1 ? 'changes its rank' : 'change their rank'}`,
  ];
  return parts.join('; ');
}
