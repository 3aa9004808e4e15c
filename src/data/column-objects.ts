import { generatedOrPlain } from '../expression/index.js';
import { type Column, type Columns, readCell } from './columns.js';

/**
 * Every row as an object of its own, as `Columns.row` makes it. Rows without absent values are made several times as fast,
 * with one hidden class.
 */
export function objectsOf(table: Columns): readonly object[] {
  const complete = completeRows(table);
  const first = complete.indexOf(1);
  const names = [...table.columns.keys()];
  const objects: object[] = [];
  // A store to `__proto__` does not make a field.
  const make = first < 0 || names.includes('__proto__') ? undefined : makerOf(table, table.row(first));
  for (let index = 0; index < table.length; index++)
    objects.push(make && complete[index] === 1 ? make(table.from + index) : table.row(index));
  return objects;
}

/** By row: 1 if no value is absent. */
function completeRows(table: Columns): Uint8Array {
  const complete = new Uint8Array(table.length).fill(1);
  for (const column of table.columns.values()) {
    const isNumbers = ArrayBuffer.isView(column.values) && !column.codes && !column.convert;
    if (isNumbers && !column.present) continue;
    for (let index = 0; index < table.length; index++) {
      const row = table.from + index;
      const value = isNumbers ? column.present![row] || undefined : readCell(column, row);
      if (value === undefined || value === null) complete[index] = 0;
    }
  }
  return complete;
}

/** Makes the object of a row in which no value is absent. */
type MakeRow = (row: number) => object;

/** @param example an object of such a row: a copy of it has the hidden class of all objects */
function makerOf(table: Columns, example: object): MakeRow {
  const columns = [...table.columns];
  return generatedOrPlain(
    () => generatedMaker(columns, example),
    () => (row) => table.row(row - table.from),
  );
}

/** @throws EvalError if code generation is forbidden */
function generatedMaker(columns: readonly (readonly [name: string, column: Column])[], example: object): MakeRow {
  const stores = columns.map(([, { type, codes, convert }], k) => {
    if (type === 'date' || convert) return `o[n${k}]=cell(c${k},r);`;
    return codes ? `o[n${k}]=v${k}[d${k}[r]];` : `o[n${k}]=v${k}[r];`;
  });
  const params = columns.flatMap((_, k) => [`n${k}`, `c${k}`, `v${k}`, `d${k}`]);
  const given = columns.flatMap(([name, column]) => [name, column, column.values, column.codes]);
  // The text contains no names of the table.
  const text = `return (r) => { const o={...e}; ${stores.join('')} return o; };`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  const make = new Function('e', 'cell', ...params, text) as (...all: readonly unknown[]) => MakeRow;
  return make(example, readCell, ...given);
}
