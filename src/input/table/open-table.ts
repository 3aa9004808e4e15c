import { codecOf, type InputFormat } from '../codecs.js';
import { describeReadError } from '../read-source-file.js';
import { openFile } from './random-access.js';
import type { Table } from './table.js';

/** A table whose file is open. */
export interface OpenTable extends Omit<Table, 'close'> {
  close(): Promise<void>;
}

/**
 * Opens a file that is kept by column.
 *
 * @param format  one that `isByColumn`
 * @param threads how many threads may read, where more than one can
 * @throws AssizeError where it cannot be read (ASZ101), or is not of the format (ASZ120)
 */
export async function openTable(file: string, format: InputFormat, threads = 1): Promise<OpenTable> {
  const open = await codecOf(format).loadTable!();
  try {
    const bytes = await openFile(file);
    try {
      const table = await open(bytes, file, threads);
      const close = (): Promise<void> => {
        table.close?.();
        return bytes.close();
      };
      return { batches: (fields) => table.batches(fields), rows: (at) => table.rows(at), close };
    } catch (error) {
      await bytes.close();
      throw error;
    }
  } catch (error) {
    throw await describeReadError(file, error);
  }
}
