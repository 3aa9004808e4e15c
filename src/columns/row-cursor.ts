import { generatedOrPlain } from '../expression/index.js';
import { type Column, NO_COLUMN, readColumn } from './column.js';
import type { Columns } from './columns.js';

/** What a getter reads now: the values of its column, and all else of it where there is more than values. */
interface Slot {
  values: ArrayLike<unknown>;
  column: Column;
}

/** The place that a cursor stands at. */
interface Place {
  row: number;
}

/** A column of values alone: one load, which V8 inlines together with all that reads it. */
const isPlain = ({ codes, present, convert }: Column): boolean =>
  codes === undefined && present === undefined && convert === undefined;

let getterCount = 0;

/**
 * Makes a getter with a function text of its own, as readers of paths have one and for the same reason: its property
 * accesses stay monomorphic. Nothing of a user's is text.
 *
 * @throws EvalError where code generation is forbidden
 */
function generatedGetter(plain: boolean, slot: Slot, place: Place): () => unknown {
  getterCount += 1;
  const body = plain
    ? 'return slot.values[place.row];'
    : `const s = slot.column, p = s.present, k = s.codes; let r = place.row;
if (p !== undefined && p[r] === 0) return undefined;
if (k !== undefined) { r = k[r]; if (r < 0) return undefined; }
return s.convert === undefined ? s.values[r] : s.convert(s.values[r]);`;
  const text = `return () => { ${body} } // getter ${getterCount}`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  return (new Function('slot', 'place', text) as (slot: Slot, place: Place) => () => unknown)(slot, place);
}

/**
 * One object that stands for any row of some columns: its fields read the row that the cursor stands at. For functions
 * that only read a candidate's fields while they are called, which is what every veto and scorer promises: in a loop it
 * costs what an object that is there would cost, and none is made.
 */
export class RowCursor {
  readonly #place: Place = { row: 0 };
  readonly #slots: ReadonlyMap<string, Slot>;
  /** The fields of which some columns were more than values. */
  readonly #mixed = new Set<string>();
  #row: object;
  #bound: Columns | undefined;

  /** @param names the fields that the object has, whether the columns have them or not */
  constructor(names: Iterable<string>) {
    this.#slots = new Map(Array.from(names, (name) => [name, { values: NO_COLUMN.values, column: NO_COLUMN }]));
    this.#row = this.#makeRow();
  }

  /** A row of some columns: valid until the next call. */
  at(columns: Columns, index: number): object {
    if (this.#bound !== columns) this.#bind(columns);
    this.#place.row = columns.from + index;
    return this.#row;
  }

  #bind(columns: Columns): void {
    const known = this.#mixed.size;
    for (const [name, slot] of this.#slots) {
      slot.column = columns.columns.get(name) ?? NO_COLUMN;
      slot.values = slot.column.values;
      if (!isPlain(slot.column)) this.#mixed.add(name);
    }
    if (this.#mixed.size > known) this.#row = this.#makeRow();
    this.#bound = columns;
  }

  #makeRow(): object {
    const row = {};
    for (const [name, slot] of this.#slots) {
      const get = generatedOrPlain(
        () => generatedGetter(!this.#mixed.has(name), slot, this.#place),
        () => () => readColumn(slot.column, this.#place.row),
      );
      Object.defineProperty(row, name, { get, enumerable: true, configurable: false });
    }
    return row;
  }
}
