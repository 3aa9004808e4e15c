import { isMap, toMillis } from '../../expression/index.js';
import { isNoValueText } from '../../data/index.js';

/** What the rows of a file have in one column. */
export interface ColumnFacts {
  /** The keys that lead to it: a column `transit.minutes` is `minutes` in `transit`. */
  readonly keys: readonly string[];
  numbers: number;
  booleans: number;
  /** Times as ISO 8601 text, or as values of a columnar file. */
  times: number;
  texts: number;
  /** The first texts that may be dates in another format than ISO 8601. */
  readonly shortTexts: string[];
  /** Lists and other values that are not scored. */
  others: number;
  /** Texts that probably mean that there is no value, such as `N/A`. */
  readonly noValue: Set<string>;
  /** The range of its numbers or times. */
  least: number;
  most: number;
  /** Its values, while each of them occurs once; undefined as soon as one is repeated. */
  distinct: Set<unknown> | undefined;
  longest: number;
}

/** The columns of the first rows of a file. */
export interface FileFacts {
  readonly rows: number;
  /** Whether the file has more rows than those. */
  readonly isCut: boolean;
  readonly columns: readonly ColumnFacts[];
}

/** How many rows are read, at most. */
const MAX_ROWS = 100_000;
/** How many cells are read, at most: a file may have 10,000 columns. */
const MAX_CELLS = 5_000_000;
/** How many columns are searched for one whose values differ in every row. */
const MAX_DISTINCT = 20;
/** How many texts of a column are kept to find a format of dates, and how long they are at most. */
const MAX_SHORT_TEXTS = 1000;
const MAX_DATE_LENGTH = 40;
/** How deep objects are read. */
const MAX_DEPTH = 4;

/** Collects facts about the columns of candidates, until there are enough of them. */
export async function columnFacts(chunks: AsyncIterable<readonly object[]>): Promise<FileFacts> {
  const columns = new Map<string, ColumnFacts>();
  let rows = 0;
  for await (const chunk of chunks) {
    for (const row of chunk) {
      if (rows >= MAX_ROWS || rows * columns.size >= MAX_CELLS) {
        return { rows, isCut: true, columns: [...columns.values()] };
      }
      addMap(columns, [], row);
      rows += 1;
    }
  }
  return { rows, isCut: false, columns: [...columns.values()] };
}

function addMap(columns: Map<string, ColumnFacts>, outer: readonly string[], map: object): void {
  for (const [key, value] of Object.entries(map)) {
    const keys = [...outer, key];
    if (isMap(value) && !(value instanceof Date) && keys.length < MAX_DEPTH) {
      addMap(columns, keys, value);
      continue;
    }
    const name = JSON.stringify(keys);
    let column = columns.get(name);
    if (!column) {
      column = emptyColumn(keys, columns.size < MAX_DISTINCT);
      columns.set(name, column);
    }
    addValue(column, value);
  }
}

const emptyColumn = (keys: readonly string[], isSearched: boolean): ColumnFacts => ({
  keys,
  numbers: 0,
  booleans: 0,
  times: 0,
  texts: 0,
  shortTexts: [],
  others: 0,
  noValue: new Set(),
  least: Number.POSITIVE_INFINITY,
  most: Number.NEGATIVE_INFINITY,
  distinct: isSearched ? new Set() : undefined,
  longest: 0,
});

function addValue(column: ColumnFacts, value: unknown): void {
  if (value === null || value === undefined) return;
  if (column.distinct?.has(value)) column.distinct = undefined;
  column.distinct?.add(value);
  if (typeof value === 'boolean') column.booleans += 1;
  else if (typeof value === 'number' || typeof value === 'bigint') {
    column.numbers += 1;
    addToRange(column, Number(value));
  } else if (typeof value === 'string') addText(column, value);
  else addTime(column, value);
}

function addText(column: ColumnFacts, text: string): void {
  column.longest = Math.max(column.longest, text.length);
  if (isNoValueText(text)) column.noValue.add(text.trim());
  else if (/^\d{4}-\d\d-\d\d/.test(text)) addTime(column, text);
  else {
    column.texts += 1;
    if (column.shortTexts.length < MAX_SHORT_TEXTS && text.length <= MAX_DATE_LENGTH) column.shortTexts.push(text);
  }
}

function addTime(column: ColumnFacts, value: unknown): void {
  const time = timeOf(value);
  if (time !== undefined) {
    column.times += 1;
    addToRange(column, time);
  } else if (typeof value === 'string') column.texts += 1;
  else column.others += 1;
}

function timeOf(value: unknown): number | undefined {
  try {
    return toMillis(value);
  } catch {
    return undefined;
  }
}

function addToRange(column: ColumnFacts, value: number): void {
  if (value < column.least) column.least = value;
  if (value > column.most) column.most = value;
}
