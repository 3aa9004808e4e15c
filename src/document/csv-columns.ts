import type { Problem } from '../contract/index.js';
import { PathError, parsePath } from '../expression/path-syntax.js';
import { cellValue } from './csv-cell.js';
import { setOwn } from './own.js';

type Map = Record<string, unknown>;

/** One thing that is wrong with a column's name. */
type Mistake = Pick<Problem, 'message' | 'hint'> & { readonly column: number };

/**
 * The keys that a column fills. A name that is a path of keys is one, so that a profile reads CSV as it reads JSON:
 * `metadata.success` fills `success` in `metadata`. Any other name (`No. of stars`, `steps[0]`) is a key as it stands.
 */
function keysOf(name: string): readonly string[] {
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
    this.#keys = names.map((name) => keysOf(name.trim()));
  }

  /** Everything that is wrong with the names. */
  mistakes(delimiter: string): Mistake[] {
    const columnOf = new Map(this.#keys.map((keys, column) => [JSON.stringify(keys), column]));
    return this.names.flatMap((name, column): Mistake[] => {
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
      return this.names.length > 1 ? [] : alone(name, delimiter);
    });
  }

  /** One row as an object. What is empty is absent. */
  row(cells: readonly string[]): object {
    const row: Map = {};
    for (let column = 0; column < this.#keys.length; column++) {
      const value = cellValue(cells[column] ?? '');
      if (value !== undefined) setIn(row, this.#keys[column]!, value);
    }
    return row;
  }
}

const RENAME = 'rename one of them';

/** A file whose cells are separated by something else has one column. */
function alone(name: string, delimiter: string): Mistake[] {
  const other = [',', ';', '\t'].find((one) => one !== delimiter && name.includes(one));
  if (other === undefined) return [];
  const [found, wanted] = [other, delimiter].map((one) => ({ ',': 'commas', ';': 'semicolons' })[one] ?? 'tabs');
  const hint = other === ';' ? `save it with ${wanted}` : `name it ${other === ',' ? '.csv' : '.tsv'}`;
  return [{ column: 0, message: `the cells seem to be separated by ${found}, expected ${wanted}`, hint }];
}

function setIn(row: Map, keys: readonly string[], value: unknown): void {
  let map = row;
  const last = keys.length - 1;
  for (let k = 0; k < last; k++) {
    const key = keys[k]!;
    if (!Object.hasOwn(map, key)) setOwn(map, key, {});
    map = map[key] as Map; // no column is both a map and a value
  }
  setOwn(map, keys[last]!, value);
}
