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
