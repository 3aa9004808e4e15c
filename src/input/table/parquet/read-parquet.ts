import { type FileMetaData, parquetMetadataAsync } from 'hyparquet';
import { describedTable } from '../described-table.js';
import type { RandomAccess, Table } from '../table.js';
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
  return describedTable(name, 'Parquet', async () => {
    return new ParquetTable(bytes, new RowGroups(bytes, await readMetadata(bytes)), threads, manyRows);
  });
}

async function readMetadata(bytes: RandomAccess): Promise<FileMetaData> {
  const size = bytes.byteLength;
  if (size < 12) throw new Error(`it has only ${size} bytes`);
  const end = Buffer.from(await bytes.slice(size - 4)).toString('latin1');
  if (end === 'PARE') throw new Error('it is encrypted');
  if (end !== 'PAR1') throw new Error('it does not end with PAR1, as Parquet does: it is cut off, or something else');
  return parquetMetadataAsync(bytes, { geoparquet: false, parsers: PARSERS });
}
