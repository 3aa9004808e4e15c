/** What one cell of a score matrix is: a number, or why there is none. */
export const CELL_STATES = ['scored', 'absent', 'failed', 'not_asked'] as const;

/** One of `CELL_STATES`. */
export type CellState = (typeof CELL_STATES)[number];
