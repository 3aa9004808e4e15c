// A file of its own, because a page loads it before the engine.

/** The state of a cell of the score matrix: `scored`, or why it has no number. */
export const CELL_STATES = ['scored', 'absent', 'failed', 'not_evaluated'] as const;

/** One of `CELL_STATES`. */
export type CellState = (typeof CELL_STATES)[number];

export const ABSENT = CELL_STATES.indexOf('absent');
export const FAILED = CELL_STATES.indexOf('failed');
export const NOT_EVALUATED = CELL_STATES.indexOf('not_evaluated');
