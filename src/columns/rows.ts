import {
  checkOptions,
  describeValue,
  integerFrom,
  isObject,
  type Problem,
  toAssizeError,
} from '../diagnostics/index.js';
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

/** The key under which a list of rows gives its columns. */
const COLUMNS = Symbol('assize:columns');

const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * The rows of some columns as a list: an object is made when its item is first read, and stays the same then. Reading
 * one costs some 100 ns more than that of a list of objects; who reads every item, reads the columns (`columnsOf`).
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

/** The columns of a list that `rowsOf` made; undefined of any other. */
export const columnsOf = (list: readonly unknown[]): Columns | undefined =>
  (list as { readonly [COLUMNS]?: Columns })[COLUMNS];

/** What is known of the dates of a list of candidates, from the types that its columns have. */
export interface DateFacts {
  /** The fields that are dates. */
  readonly fields: ReadonlySet<string>;
  /** By field: in how many candidates it is infinite, and so absent. Counted when called. */
  readonly infinite: () => ReadonlyMap<string, number>;
}

/** Those of lists and iterators whose objects were made of columns: objects do not say it. */
const factsOfSources = new WeakMap<object, DateFacts>();

/** What is known of the dates of a list or an iterator of candidates; undefined if nothing is. */
export function dateFactsOf(source: object): DateFacts | undefined {
  const table = Array.isArray(source) ? columnsOf(source) : undefined;
  if (!table) return factsOfSources.get(source);
  const fields = new Set<string>();
  for (const [name, { type }] of table.columns) if (type === 'date') fields.add(name);
  return fields.size === 0 ? undefined : { fields, infinite: () => table.infiniteDates() };
}

/** Keeps what is known of the dates of candidates, for as long as they are used. */
export const keepDateFacts = (source: object, facts: DateFacts | undefined): void =>
  void (facts && factsOfSources.set(source, facts));

/** Adds counts by field. */
export function addCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (b.size === 0) return a;
  const sum = new Map(a);
  for (const [field, count] of b) sum.set(field, (sum.get(field) ?? 0) + count);
  return sum;
}

/** The same of candidates that are read part by part: it is complete when all are. */
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

/**
 * Reads the items of a list one by one, for a short look at one field: of columns it makes objects with that field alone,
 * which the list does not keep.
 */
export function lookAt(list: readonly unknown[], field: string | undefined): (index: number) => unknown {
  const table = columnsOf(list);
  if (!table || field === undefined) return (index) => list[index];
  const narrow = table.only(new Set([field]));
  return (index) => narrow.row(index);
}

/** A column of values alone. */
const isPlain = (column: Column): boolean =>
  column !== NO_COLUMN && column.codes === undefined && column.present === undefined && column.convert === undefined;

const columnOf = (table: Columns, name: string): Column => table.columns.get(name) ?? NO_COLUMN;

/**
 * One object that stands for any row of some columns. For functions that only read a candidate's fields while they are
 * called, which is what every veto and scorer promises: no object is made for a row.
 */
export class RowCursor {
  /** The fields of which some columns were more than values. */
  readonly #computed = new Set<string>();
  #makeReader: ((table: Columns) => RowAt) | undefined;

  /** @param names the fields that the object has, whether the columns have them or not */
  constructor(private readonly names: ReadonlySet<string>) {}

  /** Reads some columns. Several may be read in turns. */
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

/** Gives the row at a position: an object that is valid until the next call. */
type RowAt = (index: number) => object;

/** What a field reads now: its column, and the values of that. */
interface Slot {
  values: ArrayLike<unknown>;
  column: Column;
}

/** What the object stands for now. */
interface Place {
  columns: Columns | undefined;
  row: number;
}

type Field = readonly [name: string, slot: Slot];

/** The fields of an object that stands for any row. */
interface RowFields {
  readonly place: Place;
  /** Of values alone: they are written into the object for each row, where a double needs no box. */
  readonly stored: readonly Field[];
  /** All others: a getter makes the value when it is read. */
  readonly computed: readonly Field[];
  /** Puts the columns into the slots of all fields. */
  readonly bind: (table: Columns) => void;
}

/** Makes an object that stands for any row, and the function that reads it. */
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

/** What a field is before the first row: V8 then keeps doubles in it without a box. */
const SOME_DOUBLE = 0.5;

/** An object with a hidden class of its own: V8 does not mind what other objects have in fields of the same names. */
function newRow(): object {
  function Row(): void {}
  Row.prototype = Object.prototype;
  return Reflect.construct(Row, []) as object;
}

/** The same text as V8 keeps the keys of objects. To store under another string of the text is some 20 times slower. */
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
 * Functions with a text of their own, as readers of paths have one and for the same reason: their property accesses stay
 * monomorphic. Nothing of a user's is text.
 */

let textCount = 0;

/** Keeps V8 from inlining the reader into a loop, where it would use up the room for scorers. */
const padding = `if (index < 0) {${Array.from({ length: 40 }, (_, k) => `place.row = place.row * ${k} + index;`).join('')}}`;

/** @throws EvalError where code generation is forbidden */
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

/** @throws EvalError where code generation is forbidden */
function generatedGetter(slot: Slot, place: Place): () => unknown {
  textCount += 1;
  const text = `return () => { const s = slot.column, p = s.present, k = s.codes; let r = place.row;
if (p !== undefined && p[r] === 0) return undefined;
if (k !== undefined) { r = k[r]; if (r < 0) return undefined; }
return s.convert === undefined ? s.values[r] : s.convert(s.values[r]); } // getter ${textCount}`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  return (new Function('slot', 'place', text) as (slot: Slot, place: Place) => () => unknown)(slot, place);
}
