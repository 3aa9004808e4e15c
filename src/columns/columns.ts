import { setOwn } from '../expression/index.js';
import { type Column, readCell } from './column.js';

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

  /** By field of dates: in how many of the rows it is infinite. */
  infiniteDates(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const [name, { type, values, present }] of this.columns) {
      if (type !== 'date' || !present) continue;
      let count = 0;
      for (let row = this.from; row < this.from + this.length; row++) {
        if (present[row] === 0 && Math.abs(Number(values[row])) === Infinity) count += 1;
      }
      if (count > 0) counts.set(name, count);
    }
    return counts;
  }

  /** A row as a new object: with its own keys alone, and without those that are absent. */
  row(index: number): object {
    const row: Record<string, unknown> = {};
    for (const [name, column] of this.columns) {
      const value = readCell(column, this.from + index);
      if (value !== undefined && value !== null) setOwn(row, name, value);
    }
    return row;
  }
}
