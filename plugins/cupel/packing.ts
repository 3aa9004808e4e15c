import type { CostedRow, SelectorLeftOut, SelectorResult } from '../../src/sdk.js';

/** The rows that compete for room: the cost of the pinned ones is subtracted from the limits already. */
export const unpinnedRows = (rows: readonly CostedRow[]): readonly CostedRow[] => rows.filter((row) => !row.pinned);

/** The rows that are in whatever they cost. */
export const pinnedRows = (rows: readonly CostedRow[]): readonly CostedRow[] => rows.filter((row) => row.pinned);

/** Leaves out every row for want of any room, those that cost nothing included. */
export const leaveOutAll = (rows: readonly CostedRow[]): SelectorResult => ({
  kept: [],
  left: rows.map(({ index }): SelectorLeftOut => ({ index, reason: 'no_budget' })),
});

/** Keeps the pinned rows alone, where there is no room. */
export const packNothing = (rows: readonly CostedRow[]): SelectorResult => ({
  ...leaveOutAll(unpinnedRows(rows)),
  kept: pinnedRows(rows),
});

/** Rows by score, the best first; equal scores keep their order. */
export const bestFirst = (rows: readonly CostedRow[]): CostedRow[] => rows.toSorted((a, b) => b.score - a.score);

export const totalCost = (rows: readonly CostedRow[]): number => rows.reduce((sum, { cost }) => sum + cost, 0);
