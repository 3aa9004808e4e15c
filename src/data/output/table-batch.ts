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

/** Some rows of a table, by column. */
export class TableBatch {
  /** In the order of the columns. */
  readonly cells: readonly OutputCell[][];

  constructor(readonly columns: readonly OutputColumn[]) {
    this.cells = columns.map(() => []);
  }

  get length(): number {
    return this.cells[0]?.length ?? 0;
  }

  clear(): void {
    for (const column of this.cells) column.length = 0;
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
