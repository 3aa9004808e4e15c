import { type Column, Columns } from './columns.js';
import { columnsOf, rowsOf } from './rows.js';

/** Merges adjacent chunks of columns until they have so many rows. Passes on all other chunks as they are. */
export async function* mergeChunks<T>(
  chunks: AsyncIterable<readonly T[]>,
  rows: number,
): AsyncGenerator<readonly T[], void> {
  let open: Columns[] = [];
  let length = 0;
  const close = (): readonly T[] => {
    const [first] = open;
    const merged = first && open.length === 1 ? first : new Columns(mergeAll(open), length);
    open = [];
    length = 0;
    return rowsOf(merged) as readonly unknown[] as readonly T[];
  };
  for await (const chunk of chunks) {
    const columns = columnsOf(chunk);
    const [first] = open;
    if (first && !(columns && areAlike(first, columns))) yield close();
    if (!columns) {
      yield chunk;
      continue;
    }
    open.push(columns);
    length += columns.length;
    if (length >= rows) yield close();
  }
  if (length > 0) yield close();
}

/** Whether two lists have the same columns, of the same kinds. */
function areAlike(a: Columns, b: Columns): boolean {
  if (a.columns.size !== b.columns.size) return false;
  for (const [name, one] of a.columns) {
    const other = b.columns.get(name);
    if (!other || one.type !== other.type || one.convert !== other.convert) return false;
    const isCoded = one.codes !== undefined;
    if (isCoded !== (other.codes !== undefined) || (isCoded && one.values !== other.values)) return false;
    const [x, y] = isCoded ? [one.codes, other.codes] : [one.values, other.values];
    if (!isMergeable(x) || !isMergeable(y) || x.constructor !== y.constructor) return false;
  }
  return true;
}

/** The lists of a column that are merged without a conversion of their values. */
type Mergeable = readonly unknown[] | Float64Array | Uint8Array | Uint16Array;

const isMergeable = (list: ArrayLike<unknown> | undefined): list is Mergeable =>
  Array.isArray(list) || list instanceof Float64Array || list instanceof Uint8Array || list instanceof Uint16Array;

function mergeAll(parts: readonly Columns[]): ReadonlyMap<string, Column> {
  const [first] = parts;
  const names = [...(first?.columns.keys() ?? [])];
  return new Map(names.map((name) => [name, mergeColumn(parts, name)]));
}

function mergeColumn(parts: readonly Columns[], name: string): Column {
  const columns = parts.map((part) => part.columns.get(name)!);
  const cut = <V>(list: ArrayLike<V>, { from, length }: Columns): ArrayLike<V> => partOf(list, from, from + length);
  const merged = (listOf: (column: Column) => ArrayLike<unknown>): ArrayLike<unknown> =>
    concat(columns.map((column, k) => cut(listOf(column), parts[k]!)));
  const [first] = columns;
  const isCoded = first!.codes !== undefined;
  const hasNulls = columns.some(({ present }) => present !== undefined);
  return {
    ...first!,
    ...(isCoded
      ? { codes: merged((column) => column.codes!) as ArrayLike<number> }
      : { values: merged((column) => column.values) }),
    present: hasNulls ? presentOf(columns, parts) : undefined,
    ...(columns.some(({ rounded }) => rounded) && { rounded: true }),
  };
}

function presentOf(columns: readonly Column[], parts: readonly Columns[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0)).fill(1);
  let at = 0;
  for (const [k, { from, length }] of parts.entries()) {
    const { present } = columns[k]!;
    if (present) for (let row = 0; row < length; row++) all[at + row] = present[from + row]!;
    at += length;
  }
  return all;
}

const partOf = <V>(list: ArrayLike<V>, from: number, to: number): ArrayLike<V> =>
  ArrayBuffer.isView(list)
    ? ((list as unknown as Float64Array).subarray(from, to) as unknown as ArrayLike<V>)
    : (list as readonly V[]).slice(from, to);

function concat(lists: readonly ArrayLike<unknown>[]): ArrayLike<unknown> {
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  const [first] = lists;
  if (first instanceof Float64Array) return fill(new Float64Array(length), lists);
  if (first instanceof Uint8Array) return fill(new Uint8Array(length), lists);
  if (first instanceof Uint16Array) return fill(new Uint16Array(length), lists);
  const all: unknown[] = [];
  for (const list of lists) for (let k = 0; k < list.length; k++) all.push(list[k]);
  return all;
}

function fill<A extends Float64Array | Uint8Array | Uint16Array>(all: A, lists: readonly ArrayLike<unknown>[]): A {
  let at = 0;
  for (const list of lists) {
    all.set(list as ArrayLike<number>, at);
    at += list.length;
  }
  return all;
}
