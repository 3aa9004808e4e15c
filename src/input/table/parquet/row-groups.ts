import {
  type AsyncBuffer,
  type FileMetaData,
  type ParquetParsers,
  parquetRead,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { type Column, dateColumn, NO_COLUMN } from '../../../columns/index.js';
import { joinPieces, type Piece } from '../pieces.js';
import type { RowRange } from '../table.js';
import { type DateUnit, millisOf, storedDates } from '../times.js';
import { type Convert, converterOf, dateUnit, leafOf } from './parquet-values.js';

/** Timestamps of 96 bits have no type of their own: they become milliseconds. */
export const PARSERS: Partial<ParquetParsers> = {
  timestampFromNanoseconds: (nanos) => millisOf(nanos, 'ns'),
};

/** The row groups of a Parquet file, read in JavaScript. */
export class RowGroups {
  /** The columns of the file as its schema has them, by name. */
  readonly schema: ReadonlyMap<string, SchemaTree>;
  readonly groups: readonly RowRange[];
  readonly #metadata: FileMetaData;
  readonly #converters: ReadonlyMap<string, Convert>;
  readonly #dates: ReadonlyMap<string, DateUnit>;

  constructor(
    private readonly bytes: AsyncBuffer,
    metadata: FileMetaData,
  ) {
    const { children } = parquetSchema(metadata);
    this.schema = new Map(children.map((child) => [child.element.name, child]));
    this.#converters = new Map(children.map((child) => [child.element.name, converterOf(child)]));
    this.#dates = new Map(
      children.flatMap((child) => {
        const unit = dateUnitOf(child);
        return unit ? [[child.element.name, unit]] : [];
      }),
    );
    const stored = new Map(children.flatMap(storedLeaves));
    this.#metadata = { ...metadata, schema: metadata.schema.map((element) => stored.get(element) ?? element) };
    let to = 0;
    this.groups = metadata.row_groups.map(({ num_rows }) => ({ from: to, to: (to += rowCount(num_rows)) }));
  }

  /** How many rows there are. */
  get length(): number {
    return this.groups.at(-1)?.to ?? 0;
  }

  /** Reads columns of the rows from one to before another, which are of one group. */
  async read({ from, to }: RowRange, names: readonly string[]): Promise<ReadonlyMap<string, Column>> {
    if (names.length === 0) return new Map();
    const pieces = new Map<string, Piece[]>(names.map((name) => [name, []]));
    const { compressors } = await import('hyparquet-compressors');
    await parquetRead({
      file: this.bytes,
      metadata: this.#metadata,
      columns: [...names],
      rowStart: from,
      rowEnd: to,
      utf8: false,
      compressors,
      parsers: PARSERS,
      onChunk: ({ columnName, columnData, rowStart }) =>
        void pieces.get(columnName)?.push({ from: rowStart, values: columnData }),
    });
    const columnOf = (name: string): Column => {
      const values = joinPieces(name, pieces.get(name) ?? [], from, to);
      const unit = this.#dates.get(name);
      if (unit) {
        const { millis, present } = storedDates(values, unit);
        return dateColumn(millis, present);
      }
      return { ...NO_COLUMN, values, convert: this.#converters.get(name) };
    };
    return new Map(names.map((name) => [name, columnOf(name)]));
  }
}

/** The unit of a column of dates; undefined for any other. */
const dateUnitOf = ({ element, children }: SchemaTree): DateUnit | undefined =>
  children.length === 0 && element.repetition_type !== 'REPEATED' ? dateUnit(element) : undefined;

/** A count that a file claims: one that no array can hold is none. */
function rowCount(claimed: bigint): number {
  if (claimed >= 0n && claimed < 2n ** 31n) return Number(claimed);
  throw new Error(`a row group claims ${claimed} rows`);
}

/** The leaves of a column, each with the one that is read in its place: its values are converted here. */
function storedLeaves(node: SchemaTree): readonly (readonly [SchemaElement, SchemaElement])[] {
  if (node.element.logical_type?.type === 'VARIANT') return [];
  return node.children.length === 0
    ? [[node.element, leafOf(node.element).stored]]
    : node.children.flatMap(storedLeaves);
}
