import { parse } from 'csv-parse/sync';
import type { Problem } from '../../diagnostics/index.js';
import { parsePath, PathError, setOwn } from '../../expression/index.js';
import type { CandidateBytes } from '../candidate-reader.js';

type PlainObject = Record<string, unknown>;

/** What is wrong with a column's name. */
type ColumnProblem = Pick<Problem, 'message' | 'hint'> & { readonly column: number };

/**
 * The keys that a column fills. A name that is a path of keys is one, so that a profile reads CSV as it reads JSON:
 * `metadata.success` fills `success` in `metadata`. Any other name (`No. of stars`, `steps[0]`) is a key as it stands.
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

/** The columns of a file, as its first line names them. */
export class CsvColumns {
  readonly #keys: readonly (readonly string[])[];

  constructor(readonly names: readonly string[]) {
    this.#keys = names.map((name) => columnKeys(name.trim()));
  }

  /** The keys that each column fills. */
  get keys(): readonly (readonly string[])[] {
    return this.#keys;
  }

  /** Finds everything that is wrong with the names. */
  nameProblems(delimiter: string): ColumnProblem[] {
    const columnOf = new Map(this.#keys.map((keys, column) => [JSON.stringify(keys), column]));
    return this.names.flatMap((name, column): ColumnProblem[] => {
      if (name.trim() === '') return [{ column, message: 'a column has no name', hint: 'name it, or leave it out' }];
      if (/\r(?!\n)/.test(name)) {
        return [{ column, message: 'the lines end in CR alone', hint: 'save the file with the line ends LF or CRLF' }];
      }
      const keys = this.#keys[column]!;
      const last = columnOf.get(JSON.stringify(keys));
      if (last !== column)
        return [{ column: last!, message: `the column ${name.trim()} is there twice`, hint: RENAME }];
      const outer = keys.findIndex((_, length) => length > 0 && columnOf.has(JSON.stringify(keys.slice(0, length))));
      if (outer > 0) {
        const map = keys.slice(0, outer).join('.');
        return [{ column, message: `${name.trim()} is a key in ${map}, which is a column itself`, hint: RENAME }];
      }
      return this.names.length > 1 ? [] : separatorProblem(name, delimiter);
    });
  }

  /** Makes an object of a row. What is empty is absent. */
  row(cells: readonly string[]): object {
    const row: PlainObject = {};
    for (let column = 0; column < this.#keys.length; column++) {
      const value = parseCell(cells[column] ?? '');
      if (value !== undefined) setAtKeys(row, this.#keys[column]!, value);
    }
    return row;
  }
}

const RENAME = 'rename one of them';

/** The problem of a file whose cells are separated by something else: it has one column. */
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
    map = map[key] as PlainObject; // no column is both a map and a value
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
 * Parses a cell. CSV has no types, so types are found by a rule, and one that loses nothing:
 *
 * - an empty or blank cell is absent;
 * - a number as JSON writes it is a number, unless a double can't hold it: `12345678901234567890`, `1e400` and `1e-400`
 *   stay texts, as do `007`, `+5`, `1,5` and `0x1f`, which are no JSON;
 * - `true` and `false` are booleans, also as `True` and `TRUE`;
 * - all else is text, with the spaces around it.
 *
 * Quotes make no difference: many programs put them around every cell.
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

/** A file of CSV whose rows are its lines, as far as its first line tells. */
export interface CsvLines {
  /** The keys that each column fills. */
  readonly columns: readonly (readonly string[])[];
  /**
   * The row of a line.
   *
   * @throws Error where it is none, as where a cell in quotes goes on in the next
   */
  row(line: string): object;
}

/** The longest first line that is looked for. */
const MOST_BYTES = 2 ** 20;

/**
 * Reads the first line of a file.
 *
 * @throws Error where it names no columns, or not in one line
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
        throw new SyntaxError('a line has other columns than the first');
      return columns.row(cells);
    },
  };
}

/** The first line, which must not be empty: a reader elsewhere skips it only where all see it. */
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
  throw new Error('it has no first line that names columns, and others');
}

const text = (bytes: Buffer): string => bytes.toString().replace(/^\ufeff/, '');
