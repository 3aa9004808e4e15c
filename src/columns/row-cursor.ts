import { generatedOrPlain } from '../expression/index.js';
import { type Column, NO_COLUMN, readColumn } from './column.js';
import type { Columns } from './columns.js';

/** The place that a cursor stands at. */
interface Place {
  row: number;
}

/** The column that a getter reads now. */
interface Slot {
  column: Column;
}

let getterCount = 0;

/**
 * Makes a getter with a function text of its own, as `generatedReader` does for paths and for the same reason: V8 then
 * inlines it with the type of its column. Nothing of a user's is text.
 *
 * @throws EvalError where code generation is forbidden
 */
function generatedGetter(slot: Slot, place: Place): () => unknown {
  getterCount += 1;
  const body = `return () => { const s = slot.column, p = s.present, k = s.codes; let r = place.row;
if (p !== undefined && p[r] === 0) return undefined;
if (k !== undefined) { r = k[r]; if (r < 0) return undefined; }
return s.convert === undefined ? s.values[r] : s.convert(s.values[r]); } // getter ${getterCount}`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  return (new Function('slot', 'place', body) as (slot: Slot, place: Place) => () => unknown)(slot, place);
}

/**
 * One object that stands for any row of some columns: its fields read the row that the cursor stands at. For functions
 * that only read a candidate's fields while they are called, which is what every veto and scorer promises: in a loop it
 * costs what an object that is there would cost, and none is made.
 */
export class RowCursor {
  readonly #row = {};
  readonly #place: Place = { row: 0 };
  readonly #slots: readonly (readonly [string, Slot])[];
  #bound: Columns | undefined;

  /** @param names the fields that the object has, whether the columns have them or not */
  constructor(names: Iterable<string>) {
    this.#slots = Array.from(new Set(names), (name) => {
      const slot: Slot = { column: NO_COLUMN };
      const get = generatedOrPlain(
        () => generatedGetter(slot, this.#place),
        () => () => readColumn(slot.column, this.#place.row),
      );
      Object.defineProperty(this.#row, name, { get, enumerable: true, configurable: false });
      return [name, slot];
    });
  }

  /** A row of some columns: valid until the next call. */
  at(columns: Columns, index: number): object {
    if (this.#bound !== columns) this.#bind(columns);
    this.#place.row = columns.from + index;
    return this.#row;
  }

  #bind(columns: Columns): void {
    for (const [name, slot] of this.#slots) slot.column = columns.columns.get(name) ?? NO_COLUMN;
    this.#bound = columns;
  }
}
