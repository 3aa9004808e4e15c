import type { Data, RecordBatchStreamWriter, Schema } from 'apache-arrow';
import { groupText } from '../group-keys.js';
import { loadArrow } from '../table/load-arrow.js';
import { checkKeyType, keyTypeOf } from './key-types.js';
import { NumberCells, type OutputCell, type OutputColumn, type TableBatch, type TableWriter } from './table-batch.js';

type Arrow = typeof import('apache-arrow');

/** The type of a column. Numbers that are keys are doubles, because the first ones may be integers by chance. */
type ArrowType = 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP';

/** Writes a table as an Arrow IPC stream: each batch of rows is a record batch. */
export class ArrowTableWriter implements TableWriter {
  #schema: Schema | undefined;
  #types: readonly ArrowType[] = [];

  private constructor(
    private readonly arrow: Arrow,
    private readonly columns: readonly OutputColumn[],
    private readonly send: (bytes: Uint8Array) => Promise<void>,
    /** The messages that are not sent yet, in parts. */
    private readonly parts: Uint8Array[],
    private readonly writer: RecordBatchStreamWriter,
  ) {}

  /**
   * @param send called with the bytes of the stream, which the writer does not modify afterwards
   * @throws AssizeError (ASZ121) if the package for Arrow is not installed
   */
  static async open(
    columns: readonly OutputColumn[],
    send: (bytes: Uint8Array) => Promise<void>,
  ): Promise<ArrowTableWriter> {
    const arrow = await loadArrow('write Arrow');
    const parts: Uint8Array[] = [];
    // Collects the parts at once: the library's queue says only later that it is empty.
    class Parts extends arrow.AsyncByteQueue {
      override write(part: Uint8Array): void {
        parts.push(part);
      }
    }
    const writer = new arrow.RecordBatchStreamWriter();
    writer.reset(new Parts());
    return new ArrowTableWriter(arrow, columns, send, parts, writer);
  }

  async write(batch: TableBatch): Promise<void> {
    const schema = (this.#schema ??= this.#begin(batch));
    if (batch.length === 0) return;
    const { arrow } = this;
    const children = batch.cells.map((_, k) => this.#data(batch, k));
    const data = arrow.makeData({
      type: new arrow.Struct(schema.fields),
      length: batch.length,
      nullCount: 0,
      children,
    });
    this.writer.write(new arrow.RecordBatch(schema, data));
    await this.#flush();
  }

  async end(): Promise<void> {
    this.#schema ??= this.#begin(undefined);
    this.writer.close();
    await this.#flush();
  }

  abort(): Promise<void> {
    return Promise.resolve(); // without its end, the reader refuses the stream
  }

  /** Joins the parts, because the caller reuses the arrays of the batch. */
  #flush(): Promise<void> {
    return this.send(Buffer.concat(this.parts.splice(0)));
  }

  #begin(batch: TableBatch | undefined): Schema {
    const { arrow } = this;
    this.#types = this.columns.map(({ type }, k): ArrowType => {
      if (type === 'text') return 'STRING';
      if (type === 'integer') return 'INT32';
      const key = type === 'number' ? 'DOUBLE' : keyTypeOf(batch?.list(k).values ?? []);
      return key === 'INT64' ? 'DOUBLE' : key;
    });
    const types = {
      STRING: () => new arrow.Utf8(),
      INT32: () => new arrow.Int32(),
      DOUBLE: () => new arrow.Float64(),
      BOOLEAN: () => new arrow.Bool(),
      TIMESTAMP: () => new arrow.TimestampMillisecond('UTC'),
    };
    const fields = this.columns.map(({ name }, k) => new arrow.Field(name, types[this.#types[k]!](), true));
    const schema = new arrow.Schema(fields);
    this.writer.reset(undefined, schema); // so that a table without rows has its columns
    return schema;
  }

  #data(batch: TableBatch, k: number): Data {
    const { arrow } = this;
    const [cells, type] = [batch.cells[k]!, this.#types[k]!];
    const { length } = cells;
    if (cells instanceof NumberCells) {
      const { nulls: nullCount, present, values } = cells;
      const valid = {
        length,
        nullCount,
        nullBitmap: nullCount === 0 ? null : bitsOf(length, (row) => present[row] === 1),
      };
      if (type === 'INT32') return arrow.makeData({ type: new arrow.Int32(), ...valid, data: Int32Array.from(values) });
      return arrow.makeData({ type: new arrow.Float64(), ...valid, data: values });
    }
    const { values } = cells;
    let nullCount = 0;
    for (let row = 0; row < length; row++) if (values[row] === null) nullCount += 1;
    const valid = {
      length,
      nullCount,
      nullBitmap: nullCount === 0 ? null : bitsOf(length, (row) => values[row] !== null),
    };
    if (type === 'STRING') return arrow.makeData({ type: new arrow.Utf8(), ...valid, ...encodeTexts(values) });
    for (const key of values) if (key !== null) checkKeyType(key, type, this.columns[k]!.name, 'Arrow');
    if (type === 'BOOLEAN') {
      return arrow.makeData({ type: new arrow.Bool(), ...valid, data: bitsOf(length, (row) => values[row] === true) });
    }
    const numbers = Float64Array.from(values, (key) => (key instanceof Date ? key.getTime() : Number(key)));
    if (type !== 'TIMESTAMP') return arrow.makeData({ type: new arrow.Float64(), ...valid, data: numbers });
    const data = BigInt64Array.from(numbers, BigInt);
    return arrow.makeData({ type: new arrow.TimestampMillisecond('UTC'), ...valid, data });
  }
}

/** A bitmap with a bit per row. */
function bitsOf(length: number, isSet: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array((length + 7) >> 3);
  for (let row = 0; row < length; row++) if (isSet(row)) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}

/** The texts as UTF-8, and by row where they start; and after the last row, where it ends. */
function encodeTexts(values: readonly OutputCell[]): { readonly valueOffsets: Int32Array; readonly data: Uint8Array } {
  const valueOffsets = new Int32Array(values.length + 1);
  let joined = '';
  for (let row = 0; row < values.length; row++) {
    const text = textOf(values[row]!);
    joined += text;
    valueOffsets[row + 1] = valueOffsets[row]! + text.length;
  }
  const data = Buffer.from(joined);
  if (data.length === joined.length) return { valueOffsets, data };
  // One by one: joining may pair surrogates.
  const parts = values.map((value) => Buffer.from(textOf(value)));
  for (let row = 0; row < parts.length; row++) valueOffsets[row + 1] = valueOffsets[row]! + parts[row]!.length;
  return { valueOffsets, data: Buffer.concat(parts) };
}

/** The text of a cell; an empty one for null. */
const textOf = (value: OutputCell): string =>
  typeof value === 'string' ? value : value === null ? '' : groupText(value);
