import { CELL_STATES, type CellState, type Plan, readCell, type RunResult } from '../engine/index.js';

/** One scorer's or measure's numbers, by row. */
export interface Column {
  /** As the unit returned them, before weights; NaN where it returned none. */
  readonly values: Float64Array;
  /** By row, an index of `CELL_STATES`. */
  readonly states: Uint8Array;
}

/** Computes one cell: scores are pure, so that a cell need not be kept. */
export type ReadCell = (
  entry: string,
  row: number,
) => { readonly value: number | undefined; readonly state: CellState };

/**
 * The numbers of one run: a row for each ranked candidate, in the order of the input, and a column for each measure and
 * scorer, computed when it is first read.
 */
export class ScoreMatrix {
  readonly #columns = new Map<string, Column>();
  readonly #readCell: ReadCell;

  constructor(
    /** The ids of the columns: measures, then scorers. */
    readonly entries: readonly string[],
    /** By row: the position of the candidate in the input. */
    readonly index: Int32Array,
    /** By row: the final score. */
    readonly totals: Float64Array,
    cell: ReadCell,
  ) {
    this.#readCell = cell;
  }

  /** One cell of an entry's column, without the rest of it. */
  cell(entry: string, row: number): ReturnType<ReadCell> {
    return this.#readCell(entry, row);
  }

  /** @throws RangeError when the profile has no such entry */
  column(entry: string): Column {
    if (!this.entries.includes(entry)) throw new RangeError(`no entry ${entry}; there are ${this.entries.join(', ')}`);
    const known = this.#columns.get(entry);
    if (known) return known;
    const column: Column = { values: new Float64Array(this.totals.length), states: new Uint8Array(this.totals.length) };
    for (let row = 0; row < column.values.length; row++) {
      const { value, state } = this.#readCell(entry, row);
      column.values[row] = value ?? Number.NaN;
      column.states[row] = CELL_STATES.indexOf(state);
    }
    this.#columns.set(entry, column);
    return column;
  }
}

/** The matrix of a run. */
export function matrixOf(plan: Plan, result: RunResult): ScoreMatrix {
  const { rows, kept, totals } = result;
  const { measures, scorers } = plan.profile;
  const entries = [...measures, ...scorers].map(({ id }) => id);
  const index = rows?.map((row) => kept[row]!) ?? kept;
  return new ScoreMatrix(entries, index, totals, (entry, row) => readCell(plan, result, entry, rows?.[row] ?? row));
}
