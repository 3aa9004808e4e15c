import type { CostedRow, Left, Picked } from '../../src/sdk.js';

/** The rows that compete for room: what the pinned cost is taken off the limits already. */
export const unpinned = (rows: readonly CostedRow[]): readonly CostedRow[] => rows.filter((row) => !row.pinned);

export const keepPinned = (rows: readonly CostedRow[]): readonly CostedRow[] => rows.filter((row) => row.pinned);

/** Where there is no room, not even what costs nothing is taken. */
export const keepNone = (rows: readonly CostedRow[]): Picked => ({
  kept: keepPinned(rows),
  left: unpinned(rows).map(({ index }): Left => ({ index, reason: 'no_budget' })),
});

/** Best first; of equal scores the one that came first. */
export const bestFirst = (rows: readonly CostedRow[]): CostedRow[] => rows.toSorted((a, b) => b.score - a.score);

export const sumOf = (rows: readonly CostedRow[]): number => rows.reduce((sum, { cost }) => sum + cost, 0);
