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
    const merged = mergeColumns(open);
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

/** The rows of several lists, whose columns have the same names and kinds. */
export function mergeColumns(parts: readonly Columns[]): Columns {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  return new Columns(
    mergeAll(parts),
    parts.reduce((sum, { length }) => sum + length, 0),
  );
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

/** The typed arrays that are merged without a conversion of their values. */
type Numbers = Float64Array | Uint8Array | Uint16Array;

const isNumbers = (list: ArrayLike<unknown> | undefined): list is Numbers =>
  list instanceof Float64Array || list instanceof Uint8Array || list instanceof Uint16Array;

const isPlainList = (list: ArrayLike<unknown> | undefined): list is readonly unknown[] => Array.isArray(list);

const isMergeable = (list: ArrayLike<unknown> | undefined): list is Numbers | readonly unknown[] =>
  isPlainList(list) || isNumbers(list);

function mergeAll(parts: readonly Columns[]): ReadonlyMap<string, Column> {
  const [first] = parts;
  const names = [...(first?.columns.keys() ?? [])];
  return new Map(names.map((name) => [name, mergeColumn(parts, name)]));
}

function mergeColumn(parts: readonly Columns[], name: string): Column {
  const columns = parts.map((part) => part.columns.get(name)!);
  const [first] = columns;
  const hasNulls = columns.some(({ present }) => present !== undefined);
  return {
    ...first!,
    ...(first!.codes === undefined
      ? { values: concat(columns.map(({ values }, k) => rowsIn(values, parts[k]!))) }
      : { codes: concat(columns.map(({ codes }, k) => rowsIn(codes!, parts[k]!))) }),
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

/** The values of the rows of a part. */
function rowsIn(list: ArrayLike<number>, part: Columns): ArrayLike<number>;
function rowsIn(list: ArrayLike<unknown>, part: Columns): ArrayLike<unknown>;
function rowsIn(list: ArrayLike<unknown>, { from, length }: Columns): ArrayLike<unknown> {
  if (isNumbers(list)) return list.subarray(from, from + length);
  return isPlainList(list) ? list.slice(from, from + length) : Array.from({ length }, (_, k) => list[from + k]);
}

/** Adjacent lists, all of the kind of the first one. */
function concat(lists: readonly ArrayLike<number>[]): ArrayLike<number>;
function concat(lists: readonly ArrayLike<unknown>[]): ArrayLike<unknown>;
function concat(lists: readonly ArrayLike<unknown>[]): ArrayLike<unknown> {
  if (lists.every(isNumbers)) return concatNumbers(lists);
  const all: unknown[] = [];
  for (const list of lists) for (let k = 0; k < list.length; k++) all.push(list[k]);
  return all;
}

function concatNumbers(lists: readonly Numbers[]): Numbers {
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  const [first] = lists;
  const all =
    first instanceof Uint8Array
      ? new Uint8Array(length)
      : first instanceof Uint16Array
        ? new Uint16Array(length)
        : new Float64Array(length);
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
