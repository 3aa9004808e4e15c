import { isSelected, type Snapshot, topOf } from '../model/snapshot.js';

/** How a ranking differs from another one. */
export interface Effect {
  /** The number of candidates that are compared: the selected ones, or the first few if all are selected. */
  readonly top: number;
  /** The positions of the candidates that come into the top, and of those that leave it. */
  readonly entered: readonly number[];
  readonly left: readonly number[];
  /** How many candidates more are ranked; negative if fewer are. */
  readonly ranked: number;
  /** How many of the candidates that both rank have another rank. */
  readonly moved: number;
}

/** Compares two rankings of the same candidates. Linear. */
export function effectOf(before: Snapshot, now: Snapshot): Effect {
  const top = topOf(now);
  const [old, current] = [firstOf(before, Math.max(top, topOf(before))), firstOf(now, top)];
  let moved = 0;
  for (const position of now.order) {
    const rank = before.ranks[position]!;
    if (rank > 0 && rank !== now.ranks[position]) moved += 1;
  }
  return {
    top,
    entered: [...current].filter((position) => !old.has(position)),
    left: [...old].filter((position) => !current.has(position)),
    ranked: now.order.length - before.order.length,
    moved,
  };
}

function firstOf(snapshot: Snapshot, top: number): ReadonlySet<number> {
  const { order, selected } = snapshot;
  const isLimited = selected !== undefined && selected.size < order.length;
  if (isLimited) return new Set([...selected].filter((position) => isSelected(snapshot, position)));
  return new Set(order.subarray(0, top));
}

/** The effect in words: `12 enter the top 48, 3 leave; 40 fewer are ranked`. */
export function effectWords({ top, entered, left, ranked, moved }: Effect): string {
  const parts = [
    entered.length + left.length === 0
      ? `The top ${top} stays the same`
      : `${entered.length} ${entered.length === 1 ? 'enters' : 'enter'} the top ${top}, ${left.length} ${left.length === 1 ? 'leaves' : 'leave'}`,
    ...(ranked === 0 ? [] : [`${Math.abs(ranked)} ${ranked < 0 ? 'fewer' : 'more'} are ranked`]),
    `${moved} ${moved === 1 ? 'changes its rank' : 'change their rank'}`,
  ];
  return parts.join('; ');
}
