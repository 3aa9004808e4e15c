import {
  checkOptions,
  describeValue,
  integerFrom,
  isObject,
  type Problem,
  toAssizeError,
} from '../diagnostics/index.js';
import {
  type Column,
  type ColumnData,
  type DateColumn,
  type DictionaryColumn,
  type NullableColumn,
  toColumn,
} from './column.js';
import { Columns } from './columns.js';
import { rowsOf } from './rows.js';

/** Data by the name of its field. */
export type ColumnSet = Readonly<Record<string, ColumnData>>;

/** What a field of a row is: its type where the data says it. */
type ValueOf<D> =
  D extends DictionaryColumn<infer V>
    ? V | undefined
    : D extends NullableColumn<infer V>
      ? (D['values'] extends readonly V[] ? V : number) | undefined
      : D extends DateColumn
        ? Date | undefined
        : D extends readonly (infer V)[]
          ? V
          : number;

/** The rows that some data has, as objects. */
export type RowOf<D extends ColumnSet> = { readonly [Name in keyof D]: ValueOf<D[Name]> };

/** The options of `columns`. */
export interface ColumnsOptions {
  /** How many rows there are: needed where there is no column to tell it. */
  readonly length?: number;
}

/**
 * Candidates by column: a list as any other, whose objects are made when they are read. All that takes candidates takes
 * it, and gives the same as for a list of such objects. Where every entry of a profile scores a candidate alone and says
 * what it reads, vetoes and scorers run over the columns, and objects are made only for what is shown.
 *
 * ```ts
 * const rows = columns({
 *   id: ['compass', 'astrolabe'],
 *   stars: Float64Array.of(850, 2400),
 *   license: { dictionary: ['MIT', 'Apache-2.0'], codes: Uint8Array.of(0, 1) },
 * });
 * const { selected } = await pipeline.rank(rows);
 * ```
 *
 * The data is read where it is: it must not change while the ranking is used.
 *
 * @throws AssizeError (ASZ560) where something is no column, or has another number of rows
 */
export function columns<D extends ColumnSet>(data: D, options: ColumnsOptions = {}): readonly RowOf<D>[] {
  checkOptions('columns', options, { length: integerFrom(0) });
  const given: unknown = data;
  if (!isObject(given) || Array.isArray(given)) {
    throw columnsError([`the columns are ${describeValue(given)}; expected an object of columns by name`]);
  }
  const made = new Map<string, Column>();
  const problems: string[] = [];
  let { length } = options;
  for (const [name, one] of Object.entries(data)) {
    const column = toColumn(one);
    if (typeof column === 'string') problems.push(`column ${name} is ${describeValue(one)}; expected ${column}`);
    else if (column.length !== (length ??= column.length)) {
      problems.push(`column ${name} has ${column.length} rows; expected ${length}`);
    } else made.set(name, column.column);
  }
  if (problems.length > 0) throw columnsError(problems);
  return rowsOf(new Columns(made, length ?? 0)) as readonly RowOf<D>[];
}

const columnsError = (messages: readonly string[]): Error =>
  toAssizeError(messages.map((message): Problem => ({ code: 'ASZ560', message })));
