import type { OutputColumn, OutputFormat, TableWriter } from './table-batch.js';

/** Opens a writer. Writers are loaded when they are needed. */
export async function openTableWriter(
  file: string,
  format: OutputFormat,
  columns: readonly OutputColumn[],
): Promise<TableWriter> {
  if (format === 'parquet') return (await import('./parquet-writer.js')).ParquetTableWriter.open(file, columns);
  return (await import('./text-writer.js')).openTextWriter(file, format, columns);
}

/**
 * Opens a writer of an Arrow stream.
 *
 * @param send called with the bytes of the stream, which are not modified afterwards
 * @throws AssizeError (ASZ121) if the package for Arrow is not installed
 */
export async function openArrowWriter(
  columns: readonly OutputColumn[],
  send: (bytes: Uint8Array) => Promise<void>,
): Promise<TableWriter> {
  return (await import('./arrow-writer.js')).ArrowTableWriter.open(columns, send);
}
