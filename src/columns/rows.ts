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
