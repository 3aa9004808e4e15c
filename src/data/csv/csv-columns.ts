import { parse } from 'csv-parse/sync';
import { nameList, type Place, type Problem } from '../../base/index.js';
import { isTime, parsePath, PathError, setOwn } from '../../expression/index.js';
import type { CandidateBytes, CellOptions } from '../candidate-reader.js';
import { NoValueCells } from './no-value-cells.js';

type PlainObject = Record<string, unknown>;

/** The problem of a column's name. */
type ColumnProblem = Pick<Problem, 'message' | 'hint'> & { readonly column: number };

/**
 * The keys that a column fills. If the name is a path of keys, it is split, so that a profile reads CSV like JSON:
 * `metadata.success` fills `success` in `metadata`. Any other name (`No. of stars`, `steps[0]`) is one key.
 */
function columnKeys(name: string): readonly string[] {
  try {
    const steps = parsePath(name);
    return steps.every((step) => step.kind === 'key') ? steps.map((step) => step.key) : [name];
  } catch (error) {
    if (error instanceof PathError) return [name];
    throw error;
  }
}

/** The number of names in a warning. */
const MAX_NAMED = 5;

/** The columns of a file, from its header line. */
export class CsvColumns {
  readonly #keys: readonly (readonly string[])[];
  readonly #absent: ReadonlySet<string>;
  readonly #noValue = new NoValueCells();

  /** @param absent the texts of cells that are absent, beside blank ones */
  constructor(
    readonly names: readonly string[],
    absent: readonly string[] = [],
  ) {
    this.#keys = names.map((name) => columnKeys(name.trim()));
    this.#absent = new Set(absent.map((text) => text.trim()));
  }

  /** The keys that each column fills. */
  get keys(): readonly (readonly string[])[] {
    return this.#keys;
  }

  /**
   * A warning if the names are probably a row, because the file has no header line: some are numbers or dates, and no
   * entry reads any of them. Names that count up, such as years, are a header.
   */
  headerWarnings({ reads }: Pick<CellOptions, 'reads'>, place: Place | undefined): readonly Problem[] {
    const values = this.names.flatMap((name): readonly number[] => {
      const value = parseCell(name);
      return typeof value === 'number' ? [value] : typeof value === 'string' && isTime(value) ? [Number.NaN] : [];
    });
    const countsUp = values.every((value, k) => k === 0 || value > values[k - 1]!) && !values.some(Number.isNaN);
    const isRead = reads === undefined ? countsUp : this.#keys.some(([key = '']) => reads.has(key));
    if (values.length === 0 || isRead) return [];
    const shown = nameList(this.names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name.trim())));
    const message = `the first line names the columns, and it is probably a row: ${shown}${this.names.length > MAX_NAMED ? ' …' : ''}`;
    return [{ code: 'ASZ749', message, place, hint: 'add a first line with a name for each column' }];
  }

  nameProblems(delimiter: string): ColumnProblem[] {
    const columnOf = new Map(this.#keys.map((keys, column) => [JSON.stringify(keys), column]));
    return this.names.flatMap((name, column): ColumnProblem[] => {
      if (name.trim() === '')
        return [{ column, message: 'a column has no name', hint: 'name the column or remove it' }];
      if (/\r(?!\n)/.test(name)) {
        return [{ column, message: 'lines end with CR only', hint: 'save the file with LF or CRLF line endings' }];
      }
      const keys = this.#keys[column]!;
      const last = columnOf.get(JSON.stringify(keys));
      if (last !== column) {
        const hint =
          typeof parseCell(name) === 'number' ? `${RENAME}; if this is a row, add a line of names above it` : RENAME;
        return [{ column: last!, message: `column ${name.trim()} occurs twice`, hint }];
      }
      const outer = keys.findIndex((_, length) => length > 0 && columnOf.has(JSON.stringify(keys.slice(0, length))));
      if (outer > 0) {
        const map = keys.slice(0, outer).join('.');
        return [{ column, message: `${name.trim()} is a key in ${map}, but ${map} is also a column`, hint: RENAME }];
      }
      return this.names.length > 1 ? [] : separatorProblem(name, delimiter);
    });
  }

  /**
   * Converts a row to an object. Empty cells are absent.
   *
   * @param place returns the place of a cell of this row, for a warning
   */
  row(cells: readonly string[], place?: (column: number) => Place): object {
    const row: PlainObject = {};
    for (let column = 0; column < this.#keys.length; column++) {
      const cell = cells[column] ?? '';
      if (this.#absent.size > 0 && this.#absent.has(cell.trim())) continue;
      const value = parseCell(cell);
      if (value === undefined) continue;
      if (place) this.#noValue.count(column, value, place);
      setAtKeys(row, this.#keys[column]!, value);
    }
    return row;
  }

  /** The columns of numbers in which some cells of the rows so far say that there is no value. */
  noValueWarnings({ reads }: Pick<CellOptions, 'reads'>): readonly Problem[] {
    return this.#noValue.warnings(this.names, (column) => reads?.has(this.#keys[column]![0]!) ?? true);
  }
}

const RENAME = 'rename one of them';

/** The problem of a single column whose name contains another separator. */
function separatorProblem(name: string, delimiter: string): ColumnProblem[] {
  const other = [',', ';', '\t'].find((one) => one !== delimiter && name.includes(one));
  if (other === undefined) return [];
  const [found, wanted] = [other, delimiter].map((one) => ({ ',': 'commas', ';': 'semicolons' })[one] ?? 'tabs');
  const hint = other === ';' ? `save it with ${wanted}` : `name it ${other === ',' ? '.csv' : '.tsv'}`;
  return [{ column: 0, message: `the cells seem to be separated by ${found}, expected ${wanted}`, hint }];
}

function setAtKeys(row: PlainObject, keys: readonly string[], value: unknown): void {
  let map = row;
  const last = keys.length - 1;
  for (let k = 0; k < last; k++) {
    const key = keys[k]!;
    if (!Object.hasOwn(map, key)) setOwn(map, key, {});
    map = map[key] as PlainObject; // nameProblems refuses a column that is both a map and a value
  }
  setOwn(map, keys[last]!, value);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const ZERO = /^-?[0.]+(?:[eE]|$)/;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map(
  [true, false].flatMap((value) => {
    const lower = String(value);
    const capital = lower.charAt(0).toUpperCase() + lower.slice(1);
    return [lower, capital, lower.toUpperCase()].map((text): [string, boolean] => [text, value]);
  }),
);

/**
 * Parses a cell. CSV has no types, so the type follows from the text, without loss:
 *
 * - an empty or blank cell is absent;
 * - a valid JSON number is a number, unless a double cannot hold it: `12345678901234567890`, `1e400` and `1e-400`
 *   stay strings, as do `007`, `+5`, `1,5` and `0x1f`, which are not JSON;
 * - `true` and `false` are booleans, also as `True` and `TRUE`;
 * - any other cell is a string, with the spaces around it.
 *
 * Quotes make no difference, because many programs put them around every cell.
 */
export function parseCell(cell: string): string | number | boolean | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  return (NUMBER.test(text) ? parseExactNumber(text) : BOOLEANS.get(text)) ?? cell;
}

function parseExactNumber(text: string): number | undefined {
  const value = Number(text);
  if (INTEGER.test(text)) return Number.isSafeInteger(value) ? value : undefined;
  const fits = Number.isFinite(value) && (value !== 0 || ZERO.test(text));
  return fits ? value : undefined;
}

/** A CSV file that has one row per line. */
export interface CsvLines {
  /** The keys that each column fills. */
  readonly columns: readonly (readonly string[])[];
  /**
   * Parses a line.
   *
   * @throws Error if the line is not one row, for example because a quoted cell continues on the next line
   */
  row(line: string): object;
}

/** The longest header line. */
const MOST_BYTES = 2 ** 20;

/**
 * Reads the header line of a file.
 *
 * @throws Error if the first line does not name columns
 */
export async function readCsvLines(parts: CandidateBytes, delimiter: ',' | '\t'): Promise<CsvLines> {
  const [names = []] = parse(await firstLine(parts), { delimiter, relax_column_count: true });
  const columns = new CsvColumns(names);
  const [problem] = columns.nameProblems(delimiter);
  if (problem) throw new Error(problem.message);
  return {
    columns: columns.keys,
    row(text) {
      const [cells = [], ...others] = parse(text, { delimiter, relax_column_count: true });
      if (cells.length !== names.length || others.length > 0)
        throw new SyntaxError('a line has a different number of columns than the first');
      return columns.row(cells);
    },
  };
}

/** The first line. It must not be empty, because readers disagree on whether to skip empty lines before the header. */
async function firstLine(parts: CandidateBytes): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const part of parts) {
    start = Buffer.concat([start, Buffer.from(part)]);
    const end = text(start).indexOf('\n');
    const line = text(start).slice(0, Math.max(0, end)).replace(/\r$/, '');
    if (line !== '') return line;
    if (end >= 0) break;
    if (start.length > MOST_BYTES) break;
  }
  throw new Error('its first line does not name columns, or no line follows it');
}

const text = (bytes: Buffer): string => bytes.toString().replace(/^\ufeff/, '');
