/** What a cell of the score matrix is: why there is no number, where there is none. */
export const CELL_STATES = ['scored', 'absent', 'failed', 'not_asked'] as const;

/** One of `CELL_STATES`. */
export type CellState = (typeof CELL_STATES)[number];
