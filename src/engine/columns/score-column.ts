/** What a cell of the score matrix is: why there is no number, where there is none. */
export const CELL_STATES = ['scored', 'absent', 'failed', 'not_asked'] as const;

/** One of `CELL_STATES`. */
export type CellState = (typeof CELL_STATES)[number];

export const ABSENT = CELL_STATES.indexOf('absent');
export const FAILED = CELL_STATES.indexOf('failed');
export const NOT_ASKED = CELL_STATES.indexOf('not_asked');

/** The numbers of one entry, by row of Tier 2. */
export interface ScoreColumn {
  /** As the unit gave them; NaN where it gave none. */
  readonly raw: Float64Array;
  /**
   * After the entry's rules for absence, failure and range; NaN where they leave it out. The same array as `raw` where no
   * rule changed a number.
   */
  readonly resolved: Float64Array;
  /** Each an index of `CELL_STATES`. */
  readonly states: Uint8Array;
}

/** The column of an entry that is not in the run. */
export function unaskedColumn(rows: number): ScoreColumn {
  const none = new Float64Array(rows).fill(Number.NaN);
  return { raw: none, resolved: none, states: new Uint8Array(rows).fill(NOT_ASKED) };
}
