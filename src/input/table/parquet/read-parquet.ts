import { type FileMetaData, parquetMetadataAsync } from 'hyparquet';
import { AssizeError } from '../../../diagnostics/index.js';
import { type RandomAccess, type Table, tableError } from '../table.js';
import { ParquetTable } from './parquet-table.js';
import { PARSERS, RowGroups } from './row-groups.js';

/**
 * Reads Parquet: by DuckDB what it reads faster, where that is installed.
 *
 * @param manyRows from how many rows on DuckDB is asked
 */
export async function openParquet(
  bytes: RandomAccess,
  name: string,
  threads: number,
  manyRows?: number,
): Promise<Table> {
  const described = async <R>(work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof AssizeError ? error : tableError(name, 'Parquet', describeDamage(error));
    }
  };
  const table = await described(
    async () => new ParquetTable(bytes, new RowGroups(bytes, await readMetadata(bytes)), threads, manyRows),
  );
  return {
    async *batches(fields) {
      const batches = table.batches(fields);
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        const next = await described(() => batches.next());
        if (next.done) return;
        yield next.value;
      }
    },
    rows: (positions) => described(() => table.rows(positions)),
    close: () => table.close(),
  };
}

/** What the library stumbles over, and does not describe, is damaged. */
const describeDamage = (error: unknown): unknown =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
    ? new Error('it is damaged', { cause: error })
    : error;

async function readMetadata(bytes: RandomAccess): Promise<FileMetaData> {
  const size = bytes.byteLength;
  if (size < 12) throw new Error(`it has only ${size} bytes`);
  const end = Buffer.from(await bytes.slice(size - 4)).toString('latin1');
  if (end === 'PARE') throw new Error('it is encrypted');
  if (end !== 'PAR1') throw new Error('it does not end with PAR1, as Parquet does: it is cut off, or something else');
  return parquetMetadataAsync(bytes, { geoparquet: false, parsers: PARSERS });
}
