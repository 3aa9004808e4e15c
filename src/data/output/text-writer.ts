import { type FileHandle, open } from 'node:fs/promises';
import { escapeInvisibleInJson } from '../../base/index.js';
import { numberText } from './key-types.js';
import type { OutputCell, OutputColumn, OutputFormat, TableBatch, TableWriter } from './table-batch.js';

/** Opens a writer of CSV or JSON Lines. */
export async function openTextWriter(
  file: string,
  format: Exclude<OutputFormat, 'parquet'>,
  columns: readonly OutputColumn[],
): Promise<TableWriter> {
  const handle = await open(file, 'w');
  if (format === 'csv') await handle.writeFile(`${columns.map(({ name }) => csvCell(name)).join(',')}\n`);
  return new TextWriter(handle, format === 'csv' ? csvLines : jsonLines(columns));
}

class TextWriter implements TableWriter {
  constructor(
    private readonly handle: FileHandle,
    private readonly linesOf: (batch: TableBatch) => string,
  ) {}

  async write(batch: TableBatch): Promise<void> {
    await this.handle.appendFile(this.linesOf(batch));
  }

  async end(): Promise<void> {
    await this.handle.close();
  }

  async abort(): Promise<void> {
    await this.handle.close();
  }
}

function csvLines({ cells, length }: TableBatch): string {
  let text = '';
  for (let row = 0; row < length; row++) {
    for (let k = 0; k < cells.length; k++) text += (k === 0 ? '' : ',') + csvCell(cells[k]!.at(row));
    text += '\n';
  }
  return text;
}

/** A cell by RFC 4180. Null is an empty cell, and an empty text is `""`. */
function csvCell(value: OutputCell): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  return value === '' || /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** A line has every column; null if the value is absent. */
function jsonLines(columns: readonly OutputColumn[]): (batch: TableBatch) => string {
  const names = columns.map(({ name }, k) => `${k === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  return ({ cells, length }) => {
    let text = '';
    for (let row = 0; row < length; row++) {
      for (let k = 0; k < cells.length; k++) text += names[k]! + jsonCell(cells[k]!.at(row));
      text += '}\n';
    }
    return escapeInvisibleInJson(text);
  };
}

function jsonCell(value: OutputCell): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : JSON.stringify(String(value));
  return value instanceof Date ? JSON.stringify(value) : String(value);
}
