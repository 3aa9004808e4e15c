import { type Column, NO_COLUMN } from './column.js';
import type { Columns } from './columns.js';
import { makeReader, type RowAt, type RowFields, type Slot } from './row-reader.js';

/** A column of values alone. */
const isPlain = (column: Column): boolean =>
  column !== NO_COLUMN && column.codes === undefined && column.present === undefined && column.convert === undefined;

const columnOf = (columns: Columns, name: string): Column => columns.columns.get(name) ?? NO_COLUMN;

/**
 * One object that stands for any row of some columns. For functions that only read a candidate's fields while they are
 * called, which is what every veto and scorer promises: no object is made for a row.
 */
export class RowCursor {
  /** The fields of which some columns were more than values. */
  readonly #computed = new Set<string>();
  #makeReader: ((columns: Columns) => RowAt) | undefined;

  /** @param names the fields that the object has, whether the columns have them or not */
  constructor(private readonly names: ReadonlySet<string>) {}

  /** Reads some columns. Several may be read in turns. */
  reader(columns: Columns): RowAt {
    const known = this.#computed.size;
    for (const name of this.names) if (!isPlain(columnOf(columns, name))) this.#computed.add(name);
    if (this.#computed.size > known) this.#makeReader = undefined;
    this.#makeReader ??= makeReader(this.#fields());
    return this.#makeReader(columns);
  }

  #fields(): RowFields {
    const slots = new Map(
      Array.from(this.names, (name): [string, Slot] => [name, { values: NO_COLUMN.values, column: NO_COLUMN }]),
    );
    return {
      place: { columns: undefined, row: 0 },
      stored: [...slots].filter(([name]) => !this.#computed.has(name)),
      computed: [...slots].filter(([name]) => this.#computed.has(name)),
      bind: (columns) => {
        for (const [name, slot] of slots) {
          slot.column = columnOf(columns, name);
          slot.values = slot.column.values;
        }
      },
    };
  }
}
