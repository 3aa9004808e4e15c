/** What a cell of the matrix is: why there is no number, where there is none. */
export const CELL_STATES = ['scored', 'absent', 'failed', 'not_asked'] as const;

/** One of `CELL_STATES`. */
export type CellState = (typeof CELL_STATES)[number];

/** One scorer's or measure's numbers, by row. */
export interface Column {
  /** As the unit gave them, before weights; NaN where it gave none. */
  readonly values: Float64Array;
  /** By row, a position in `CELL_STATES`. */
  readonly states: Uint8Array;
}

/** What gives one cell when it is asked for: scores are pure, so they need not be kept. */
export type ReadCell = (
  entry: string,
  row: number,
) => { readonly value: number | undefined; readonly state: CellState };

/**
 * The numbers of one run: a row for each ranked candidate, in the order of the input, and a column for each measure
 * and scorer, computed when somebody asks for it. Everything that looks at a ranking reads this.
 */
export class ScoreMatrix {
  readonly #columns = new Map<string, Column>();
  readonly #ask: ReadCell;

  constructor(
    /** The ids of the columns: measures, then scorers. */
    readonly entries: readonly string[],
    /** By row: the position of the candidate in the input. */
    readonly index: Int32Array,
    /** By row: the final score. */
    readonly totals: Float64Array,
    ask: ReadCell,
  ) {
    this.#ask = ask;
  }

  /** One cell of an entry's column, without the rest of it. */
  cell(entry: string, row: number): ReturnType<ReadCell> {
    return this.#ask(entry, row);
  }

  /** @throws RangeError when the profile has no such entry */
  column(entry: string): Column {
    if (!this.entries.includes(entry)) throw new RangeError(`no entry ${entry}; there are ${this.entries.join(', ')}`);
    const known = this.#columns.get(entry);
    if (known) return known;
    const column: Column = { values: new Float64Array(this.totals.length), states: new Uint8Array(this.totals.length) };
    for (let row = 0; row < column.values.length; row++) {
      const { value, state } = this.#ask(entry, row);
      column.values[row] = value ?? Number.NaN;
      column.states[row] = CELL_STATES.indexOf(state);
    }
    this.#columns.set(entry, column);
    return column;
  }
}
