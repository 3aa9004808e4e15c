import { checkOptions, toAssizeError, describeValue, isObject, type Problem } from '../base/index.js';
import { generatedOrPlain } from '../expression/index.js';
import {
  type Column,
  type ColumnData,
  Columns,
  type DateColumn,
  type DictionaryColumn,
  NO_COLUMN,
  type NullableColumn,
  readColumn,
  toColumn,
} from './columns.js';

/** Columns by field name. */
export type ColumnSet = Readonly<Record<string, ColumnData>>;

/** The type of a field, as far as its column's type says it. */
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

/** The type of a row, as an object. */
export type RowOf<D extends ColumnSet> = { readonly [Name in keyof D]: ValueOf<D[Name]> };

/** The options of `columns`. */
export interface ColumnsOptions {
  /** Number of rows. Required if there are no columns. */
  readonly length?: number;
}

/**
 * Creates a list of candidates from columns. An object is created when its item is read. Every function that takes
 * candidates accepts the list and returns the same as for a list of objects. If every entry of a profile scores
 * candidates independently and declares the fields that it reads, vetoes and scorers run over the columns, and objects
 * are created only for the output.
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
 * The data is not copied: do not change it while you use the ranking.
 *
 * @throws AssizeError (ASZ560) if a value is not a column, or if columns have different lengths
 */
export function columns<D extends ColumnSet>(data: D, options: ColumnsOptions = {}): readonly RowOf<D>[] {
  checkOptions('columns', options, { length: { integerFrom: 0 } });
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

/** The key of a list's columns. */
const COLUMNS = Symbol('assize:columns');

const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * The rows of columns as a list. An object is created when its item is first read, and is kept. Reading an item costs
 * about 100 ns more than in an array; to read every item, read the columns (`columnsOf`).
 */
export function rowsOf(table: Columns): readonly object[] {
  const made: object[] = [];
  made.length = table.length;
  return new Proxy(made, {
    get(list, key) {
      if (key === COLUMNS) return table;
      if (typeof key !== 'string' || !INDEX.test(key)) return Reflect.get(list, key) as unknown;
      return rowAt(list, table, Number(key));
    },
    has: (list, key) =>
      typeof key === 'string' && INDEX.test(key) ? Number(key) < list.length : Reflect.has(list, key),
    set: () => false,
    deleteProperty: () => false,
    defineProperty: () => false,
  });
}

function rowAt(list: object[], table: Columns, index: number): object | undefined {
  if (index >= table.length) return undefined;
  return (list[index] ??= table.row(index));
}

/** The columns of a list that `rowsOf` returned; undefined for any other list. */
export const columnsOf = (list: readonly unknown[]): Columns | undefined =>
  (list as { readonly [COLUMNS]?: Columns })[COLUMNS];

/** The date columns of a list of candidates. */
export interface DateFacts {
  readonly fields: ReadonlySet<string>;
  /** By field: number of candidates whose date is infinite, and so absent. Counted when called. */
  readonly infinite: () => ReadonlyMap<string, number>;
}

/** Facts of lists and iterators whose objects were created from columns: objects do not have column types. */
const factsOfSources = new WeakMap<object, DateFacts>();

/** The date columns of a list or an iterator of candidates; undefined if it has none. */
export function dateFactsOf(source: object): DateFacts | undefined {
  const table = Array.isArray(source) ? columnsOf(source) : undefined;
  if (!table) return factsOfSources.get(source);
  const fields = new Set<string>();
  for (const [name, { type }] of table.columns) if (type === 'date') fields.add(name);
  return fields.size === 0 ? undefined : { fields, infinite: () => table.infiniteDates() };
}

/** Records the date columns of a list or an iterator for as long as it is in use. */
export const keepDateFacts = (source: object, facts: DateFacts | undefined): void =>
  void (facts && factsOfSources.set(source, facts));

/** Adds counts by field. */
export function addCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (b.size === 0) return a;
  const sum = new Map(a);
  for (const [field, count] of b) sum.set(field, (sum.get(field) ?? 0) + count);
  return sum;
}

/** The date columns of candidates that are read in parts. Complete when all parts are added. */
export class GrowingDateFacts implements DateFacts {
  readonly fields = new Set<string>();
  #infinite: ReadonlyMap<string, number> = new Map();

  infinite = (): ReadonlyMap<string, number> => this.#infinite;

  add(part: readonly unknown[]): void {
    const facts = dateFactsOf(part);
    if (!facts) return;
    for (const field of facts.fields) this.fields.add(field);
    this.#infinite = addCounts(this.#infinite, facts.infinite());
  }
}

/** Reads single items for one field. For columns, it creates objects with only that field and does not keep them. */
export function lookAt(list: readonly unknown[], field: string | undefined): (index: number) => unknown {
  const table = columnsOf(list);
  if (!table || field === undefined) return (index) => list[index];
  const narrow = table.only(new Set([field]));
  return (index) => narrow.row(index);
}

/** Whether the values of a column can be copied as they are. */
const isPlain = (column: Column): boolean =>
  column !== NO_COLUMN && column.codes === undefined && column.present === undefined && column.convert === undefined;

const columnOf = (table: Columns, name: string): Column => table.columns.get(name) ?? NO_COLUMN;

/**
 * One object that represents each row in turn, so that no object is created per row. It is for functions that read a
 * candidate's fields only while they run, as every veto and scorer must.
 */
export class RowCursor {
  /** The fields that need a getter because at least one of their columns is not plain. */
  readonly #computed = new Set<string>();
  #makeReader: ((table: Columns) => RowAt) | undefined;

  /** @param names the fields of the object, whether the columns have them or not */
  constructor(private readonly names: ReadonlySet<string>) {}

  /** Returns a reader of these columns. Readers of several `Columns` may be used alternately. */
  reader(table: Columns): RowAt {
    const known = this.#computed.size;
    for (const name of this.names) if (!isPlain(columnOf(table, name))) this.#computed.add(name);
    if (this.#computed.size > known) this.#makeReader = undefined;
    this.#makeReader ??= makeReader(this.#fields());
    return this.#makeReader(table);
  }

  #fields(): RowFields {
    const slots = new Map(
      Array.from(this.names, (name): [string, Slot] => [name, { values: NO_COLUMN.values, column: NO_COLUMN }]),
    );
    return {
      place: { columns: undefined, row: 0 },
      stored: [...slots].filter(([name]) => !this.#computed.has(name)),
      computed: [...slots].filter(([name]) => this.#computed.has(name)),
      bind: (table) => {
        for (const [name, slot] of slots) {
          slot.column = columnOf(table, name);
          slot.values = slot.column.values;
        }
      },
    };
  }
}

/** Returns the row at a position: an object that is valid until the next call. */
type RowAt = (index: number) => object;

/** The current column of a field, and its values. */
interface Slot {
  values: ArrayLike<unknown>;
  column: Column;
}

/** The row that the object represents now. */
interface Place {
  columns: Columns | undefined;
  row: number;
}

type Field = readonly [name: string, slot: Slot];

/** The fields of a cursor's object. */
interface RowFields {
  readonly place: Place;
  /** Plain fields: the value is written into the object for each row, where V8 does not box doubles. */
  readonly stored: readonly Field[];
  /** Other fields: a getter computes the value when it is read. */
  readonly computed: readonly Field[];
  /** Puts the columns into the slots of all fields. */
  readonly bind: (table: Columns) => void;
}

/** Creates a cursor's object and the function that moves it. */
function makeReader(fields: RowFields): (table: Columns) => RowAt {
  const row = newRow();
  const stored = fields.stored.map(([name, slot]): Field => [internalized(name), slot]);
  for (const [name] of stored)
    Object.defineProperty(row, name, { value: SOME_DOUBLE, writable: true, enumerable: true });
  for (const [name, slot] of fields.computed) {
    const get = generatedOrPlain(
      () => generatedGetter(slot, fields.place),
      () => () => readColumn(slot.column, fields.place.row),
    );
    Object.defineProperty(row, name, { get, enumerable: true });
  }
  return generatedOrPlain(
    () => generatedReader(row, { ...fields, stored }),
    () => plainReader(row, fields),
  );
}

/** The initial value of a field: V8 then stores doubles in it without boxing. */
const SOME_DOUBLE = 0.5;

/** An object with its own hidden class, so that fields of other objects with the same names do not affect it. */
function newRow(): object {
  function Row(): void {}
  Row.prototype = Object.prototype;
  return Reflect.construct(Row, []) as object;
}

/** The internalized string that V8 uses for keys. A store with any other string is about 20 times slower. */
const internalized = (name: string): string => Object.keys({ [name]: 0 })[0] ?? name;

function plainReader(row: object, { place, stored, bind }: RowFields): (table: Columns) => RowAt {
  return (table) => (index) => {
    if (place.columns !== table) bind(table);
    place.columns = table;
    place.row = table.from + index;
    for (const [name, { values }] of stored) Reflect.set(row, name, values[place.row]);
    return row;
  };
}

/*
 * The generated functions below differ in their source text, so each has its own monomorphic inline caches (as readers
 * of paths have). The text contains no user input.
 */

let textCount = 0;

/** Prevents V8 from inlining the reader into a loop, where it would use up the inlining budget for scorers. */
const padding = `if (index < 0) {${Array.from({ length: 40 }, (_, k) => `place.row = place.row * ${k} + index;`).join('')}}`;

/** @throws EvalError if code generation is forbidden */
function generatedReader(row: object, { place, stored, bind }: RowFields): (table: Columns) => RowAt {
  textCount += 1;
  const params = stored.flatMap((_, k) => [`k${k}`, `s${k}`]);
  const stores = stored.map((_, k) => `row[k${k}]=s${k}.values[r];`).join('');
  const text = `return (columns) => { const from = columns.from; return (index) => {
${padding} if (place.columns !== columns) { bind(columns); place.columns = columns; }
const r = place.row = from + index; ${stores} return row; }; } // rows ${textCount}`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  const make = new Function('row', 'place', 'bind', ...params, text) as (
    ...given: readonly unknown[]
  ) => (table: Columns) => RowAt;
  return make(row, place, bind, ...stored.flat());
}

/** @throws EvalError if code generation is forbidden */
function generatedGetter(slot: Slot, place: Place): () => unknown {
  textCount += 1;
  const text = `return () => { const s = slot.column, p = s.present, k = s.codes; let r = place.row;
if (p !== undefined && p[r] === 0) return undefined;
if (k !== undefined) { r = k[r]; if (r < 0) return undefined; }
return s.convert === undefined ? s.values[r] : s.convert(s.values[r]); } // getter ${textCount}`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  return (new Function('slot', 'place', text) as (slot: Slot, place: Place) => () => unknown)(slot, place);
}
