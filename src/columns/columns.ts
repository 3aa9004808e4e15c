import { setOwn } from '../expression/index.js';
import { type Column, readColumn } from './column.js';

/** Rows by column: a part of some columns, without a copy. */
export class Columns {
  /**
   * @param columns by the name of the field
   * @param from    the row of the columns that is the first one here
   */
  constructor(
    readonly columns: ReadonlyMap<string, Column>,
    readonly length: number,
    readonly from = 0,
  ) {}

  /** The rows from one to before another. */
  slice(from: number, to: number): Columns {
    return new Columns(this.columns, Math.max(0, Math.min(to, this.length) - from), this.from + from);
  }

  /** The same rows with these columns alone. */
  only(names: ReadonlySet<string>): Columns {
    return new Columns(new Map([...this.columns].filter(([name]) => names.has(name))), this.length, this.from);
  }

  /** A row as a new object: with its own keys alone, and without those that are absent. */
  row(index: number): object {
    const row: Record<string, unknown> = {};
    for (const [name, column] of this.columns) {
      const value = readColumn(column, this.from + index);
      if (value !== undefined && value !== null) setOwn(row, name, value);
    }
    return row;
  }
}
