import type { ColumnSet } from 'assize';

type Next = () => number;

/** Numbers from `low` to `high` with four decimals. */
export const numbers = (count: number, next: Next, low: number, high: number): Float64Array =>
  Float64Array.from({ length: count }, () => Math.round((low + next() * (high - low)) * 1e4) / 1e4);

/** Integers from `low` to below `high`. */
export const integers = (count: number, next: Next, low: number, high: number): Int32Array =>
  Int32Array.from({ length: count }, () => Math.floor(low + next() * (high - low)));

/** By row: 0 where a value is absent. */
export const presence = (count: number, next: Next, absent: number): Uint8Array =>
  Uint8Array.from({ length: count }, () => (next() < absent ? 0 : 1));

/** A column of few texts, or of false and true. */
export interface Dictionary<V> {
  readonly dictionary: readonly V[];
  /** By row. −1 where the value is absent. */
  readonly codes: Int8Array;
}

export const texts = <V>(count: number, next: Next, dictionary: readonly V[], absent = 0): Dictionary<V> => ({
  dictionary,
  codes: Int8Array.from({ length: count }, () =>
    next() < absent ? -1 : Math.floor(next() * dictionary.length) % dictionary.length,
  ),
});

/** False and true; `share` of them are true. */
export const flags = (count: number, next: Next, share: number): Dictionary<boolean> => ({
  dictionary: [false, true],
  codes: Int8Array.from({ length: count }, () => (next() < share ? 1 : 0)),
});

export const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, row) => `row-${row}`);

/** Reads a value of one of the columns above. Null if it is absent. */
function cellOf(column: ColumnSet[string], row: number): unknown {
  if ('codes' in column) return column.dictionary[column.codes[row]!] ?? null;
  if ('present' in column && column.present?.[row] === 0) return null;
  if ('dates' in column) return column.dates[row];
  return ('values' in column && typeof column.values === 'object' ? column.values : (column as ArrayLike<unknown>))[
    row
  ];
}

/** The same rows as objects, parsed from JSON as from a file or a request, so that V8 gives them the usual shape. */
export function objectsOf<Row>(columns: ColumnSet, count: number, omitted: readonly string[]): readonly Row[] {
  const names = Object.keys(columns);
  return Array.from({ length: count }, (_, row) => {
    const object: Record<string, unknown> = {};
    for (const name of names) {
      const value = cellOf(columns[name]!, row);
      if (value !== null || !omitted.includes(name)) object[name] = value;
    }
    return JSON.parse(JSON.stringify(object)) as Row;
  });
}
