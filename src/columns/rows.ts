import type { Columns } from './columns.js';

/** The key under which a list of rows gives its columns. */
const COLUMNS = Symbol('assize:columns');

const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * The rows of some columns as a list: an object is made when its item is first read, and stays the same then. Reading
 * one costs some 100 ns more than that of a list of objects; who reads every item, reads the columns (`columnsOf`).
 */
export function rowsOf(columns: Columns): readonly object[] {
  const made: object[] = [];
  made.length = columns.length;
  return new Proxy(made, {
    get(list, key) {
      if (key === COLUMNS) return columns;
      if (typeof key !== 'string' || !INDEX.test(key)) return Reflect.get(list, key) as unknown;
      return rowAt(list, columns, Number(key));
    },
    has: (list, key) =>
      typeof key === 'string' && INDEX.test(key) ? Number(key) < list.length : Reflect.has(list, key),
    set: () => false,
    deleteProperty: () => false,
    defineProperty: () => false,
  });
}

function rowAt(list: object[], columns: Columns, index: number): object | undefined {
  if (index >= columns.length) return undefined;
  return (list[index] ??= columns.row(index));
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
  const columns = Array.isArray(source) ? columnsOf(source) : undefined;
  if (!columns) return factsOfSources.get(source);
  const fields = new Set<string>();
  for (const [name, { type }] of columns.columns) if (type === 'date') fields.add(name);
  return fields.size === 0 ? undefined : { fields, infinite: () => columns.infiniteDates() };
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
  const columns = columnsOf(list);
  if (!columns || field === undefined) return (index) => list[index];
  const narrow = columns.only(new Set([field]));
  return (index) => narrow.row(index);
}
