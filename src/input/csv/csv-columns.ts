import type { Problem } from '../../diagnostics/index.js';
import { parsePath, PathError, setOwn } from '../../expression/index.js';
import { parseCell } from './parse-cell.js';

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
