import type { GroupKey } from '../group-keys.js';

/** The type of a column of a table that is written. `key`: the values of groups, whose type is that of the first ones. */
export type OutputType = 'text' | 'integer' | 'number' | 'key';

/** A value of a table; null if it is absent. */
export type OutputCell = GroupKey;

/** A column of a table that is written. */
export interface OutputColumn {
  readonly name: string;
  readonly type: OutputType;
}

/** The numbers of a column. Without an object per number, and without a list that V8 must scan for garbage. */
export class NumberCells {
  #values = new Float64Array(1024);
  /** By row: 0 if the number is absent. */
  #present = new Uint8Array(1024);
  #length = 0;
  #nulls = 0;

  get length(): number {
    return this.#length;
  }

  /** The count of absent numbers. */
  get nulls(): number {
    return this.#nulls;
  }

  /** By row. The number of an absent cell is arbitrary. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  /** By row: 0 if the number is absent, otherwise 1. */
  get present(): Uint8Array {
    return this.#present.subarray(0, this.#length);
  }

  push(cell: number | null): void {
    const row = this.#length++;
    if (row === this.#values.length) this.#grow();
    if (cell === null) {
      this.#present[row] = 0;
      this.#nulls += 1;
    } else {
      this.#values[row] = cell;
      this.#present[row] = 1;
    }
  }

  #grow(): void {
    const [values, present] = [this.#values, this.#present];
    this.#values = new Float64Array(2 * values.length);
    this.#values.set(values);
    this.#present = new Uint8Array(2 * present.length);
    this.#present.set(present);
  }

  at(row: number): number | null {
    return this.#present[row] === 0 ? null : this.#values[row]!;
  }

  /** A copy as plain data. */
  get stored(): StoredNumbers {
    return { values: this.values.slice(), present: this.#nulls === 0 ? undefined : this.present.slice() };
  }

  /** Adds the numbers from `from` to before `to`. */
  append({ values, present }: StoredNumbers, from: number, to: number): void {
    for (let row = from; row < to; row++) this.push(present?.[row] === 0 ? null : values[row]!);
  }

  clear(): void {
    this.#length = 0;
    this.#nulls = 0;
  }
}

/** The cells of a column of texts or keys. */
export class ListCells {
  readonly values: OutputCell[] = [];

  get length(): number {
    return this.values.length;
  }

  push(cell: OutputCell): void {
    this.values.push(cell);
  }

  at(row: number): OutputCell {
    return this.values[row]!;
  }

  /** As plain data, not copied. */
  get stored(): StoredList {
    const { values } = this;
    const [first = null] = values;
    return values.every((value) => value === first) ? { every: first } : { list: values };
  }

  /** Adds the cells from `from` to before `to`. */
  append(stored: StoredList, from: number, to: number): void {
    for (let row = from; row < to; row++) this.values.push('list' in stored ? stored.list[row]! : stored.every);
  }

  clear(): void {
    this.values.length = 0;
  }
}

/** The numbers of a column as plain data. */
export interface StoredNumbers {
  readonly values: Float64Array;
  /** By row: 0 if the number is absent; undefined if no number is absent. */
  readonly present: Uint8Array | undefined;
}

/** The cells of a column as plain data. `every`: the value of every cell. */
export type StoredList = { readonly list: readonly OutputCell[] } | { readonly every: OutputCell };

/** The rows of a batch as plain data, for another thread or machine. */
export interface StoredRows {
  readonly count: number;
  readonly columns: readonly (StoredNumbers | StoredList)[];
}

/** Some rows of a table, by column. */
export class TableBatch {
  /** In the order of the columns. */
  readonly cells: readonly (NumberCells | ListCells)[];

  constructor(readonly columns: readonly OutputColumn[]) {
    this.cells = columns.map(({ type }) =>
      type === 'number' || type === 'integer' ? new NumberCells() : new ListCells(),
    );
  }

  get length(): number {
    return this.cells[0]?.length ?? 0;
  }

  /**
   * The numbers of a column.
   *
   * @throws TypeError if the column has another type
   */
  numbers(column: number): NumberCells {
    const cells = this.cells[column];
    if (cells instanceof NumberCells) return cells;
    throw new TypeError(`column ${column} has no numbers`);
  }

  /**
   * The texts or keys of a column.
   *
   * @throws TypeError if the column has another type
   */
  list(column: number): ListCells {
    const cells = this.cells[column];
    if (cells instanceof ListCells) return cells;
    throw new TypeError(`column ${column} has numbers`);
  }

  /** As plain data, which is valid until rows are added or cleared. */
  get stored(): StoredRows {
    return { count: this.length, columns: this.cells.map((cells) => cells.stored) };
  }

  /** Adds the rows from `from` to before `to` of a batch with the same columns. */
  append({ columns }: StoredRows, from: number, to: number): void {
    for (const [k, column] of columns.entries()) {
      if ('values' in column) this.numbers(k).append(column, from, to);
      else this.list(k).append(column, from, to);
    }
  }

  clear(): void {
    for (const column of this.cells) column.clear();
  }
}

/** Writes a table to a file or a database, batch by batch. */
export interface TableWriter {
  /** Writes the rows of a batch. The caller may clear it afterwards. */
  write(batch: TableBatch): Promise<void>;
  /**
   * Completes the table.
   *
   * @param comment kept with a table of a database; ignored for a file
   */
  end(comment?: string): Promise<void>;
  /** Discards the table after a failure. */
  abort(): Promise<void>;
}

/** The formats of tables, by file extension. */
const FORMATS = { parquet: ['parquet', 'pq'], csv: ['csv'], jsonl: ['jsonl', 'ndjson'] } as const;

export type OutputFormat = keyof typeof FORMATS;

/** The format of a table by the name of its file; undefined for another extension. */
export function outputFormatOf(file: string): OutputFormat | undefined {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const found = Object.entries(FORMATS).find(([, extensions]) => extensions.some((one) => one === extension));
  return found?.[0] as OutputFormat | undefined;
}
