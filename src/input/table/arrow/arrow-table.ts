import type { RecordBatch } from 'apache-arrow';
import { type Column, Columns } from '../../../columns/index.js';
import type { RowRange, Table } from '../table.js';
import { arrowColumn } from './arrow-values.js';

/** A table of Arrow: its columns are parts of the bytes that it was read from. */
export class ArrowTable implements Table {
  /** One for all: whoever reads a part has read the file. */
  readonly groups: readonly RowRange[];

  constructor(private readonly recordBatches: readonly RecordBatch[]) {
    this.groups = [{ from: 0, to: recordBatches.reduce((rows, { numRows }) => rows + numRows, 0) }];
  }

  async *batches(fields?: ReadonlySet<string>): AsyncGenerator<Columns, void> {
    for (const batch of this.recordBatches) yield columnsOfBatch(batch, fields);
  }

  async rows(positions: readonly number[]): Promise<readonly object[]> {
    const found = new Map<number, object>();
    let from = 0;
    for (const batch of this.recordBatches) {
      for (const position of positions) {
        if (position < from || position >= from + batch.numRows) continue;
        found.set(position, columnsOfBatch(batch.slice(position - from, position - from + 1)).row(0));
      }
      from += batch.numRows;
    }
    return positions.flatMap((position) => found.get(position) ?? []);
  }
}

function columnsOfBatch(batch: RecordBatch, fields?: ReadonlySet<string>): Columns {
  const columns = new Map<string, Column>();
  for (const [k, { name }] of batch.schema.fields.entries()) {
    const vector = fields?.has(name) === false ? null : batch.getChildAt(k);
    if (vector) columns.set(name, arrowColumn(vector));
  }
  return new Columns(columns, batch.numRows);
}
