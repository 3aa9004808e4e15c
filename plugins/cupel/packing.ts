import type { CostedRow, SelectorLeftOut, SelectorResult } from '../../src/sdk.js';

/** The rows that compete for room: what the pinned cost is taken off the limits already. */
export const unpinnedRows = (rows: readonly CostedRow[]): readonly CostedRow[] => rows.filter((row) => !row.pinned);

export const pinnedRows = (rows: readonly CostedRow[]): readonly CostedRow[] => rows.filter((row) => row.pinned);

/** Where there is no room, not even what costs nothing is taken. */
export const packNothing = (rows: readonly CostedRow[]): SelectorResult => ({
  kept: pinnedRows(rows),
  left: unpinnedRows(rows).map(({ index }): SelectorLeftOut => ({ index, reason: 'no_budget' })),
});

/** Best first; of equal scores the one that came first. */
export const bestFirst = (rows: readonly CostedRow[]): CostedRow[] => rows.toSorted((a, b) => b.score - a.score);

export const totalCost = (rows: readonly CostedRow[]): number => rows.reduce((sum, { cost }) => sum + cost, 0);
