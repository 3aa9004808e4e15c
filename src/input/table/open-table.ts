import { codecOf, type InputFormat } from '../codecs.js';
import { describeReadError } from '../read-source-file.js';
import { openFile } from './random-access.js';
import type { Table } from './table.js';

/** A table whose file is open. */
export interface OpenTable extends Omit<Table, 'close'> {
  close(): Promise<void>;
}

/** How a file is opened. */
export interface OpenTableOptions {
  /** How many threads may read, where more than one can: one when not given. */
  readonly threads?: number;
  /** What problems call it; as it is named when not given. */
  readonly name?: string;
}

/**
 * Opens a file that is kept by column.
 *
 * @param format one that `isByColumn`
 * @throws AssizeError where it cannot be read (ASZ101), or is not of the format (ASZ120)
 */
export async function openTable(
  file: string,
  format: InputFormat,
  { threads = 1, name = file }: OpenTableOptions = {},
): Promise<OpenTable> {
  const open = await codecOf(format).loadTable!();
  try {
    const bytes = await openFile(file, name);
    try {
      const table = await open(bytes, name, threads);
      const close = (): Promise<void> => {
        table.close?.();
        return bytes.close();
      };
      return {
        groups: table.groups,
        batches: (fields, range) => table.batches(fields, range),
        rows: (at) => table.rows(at),
        close,
      };
    } catch (error) {
      await bytes.close();
      throw error;
    }
  } catch (error) {
    throw await describeReadError(name, error);
  }
}
