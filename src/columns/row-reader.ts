import { generatedOrPlain } from '../expression/index.js';
import { type Column, readColumn } from './column.js';
import type { Columns } from './columns.js';

/** Gives the row at a position: an object that is valid until the next call. */
export type RowAt = (index: number) => object;

/** What a field reads now: its column, and the values of that. */
export interface Slot {
  values: ArrayLike<unknown>;
  column: Column;
}

/** What the object stands for now. */
interface Place {
  columns: Columns | undefined;
  row: number;
}

type Field = readonly [name: string, slot: Slot];

/** The fields of an object that stands for any row. */
export interface RowFields {
  readonly place: Place;
  /** Of values alone: they are written into the object for each row, where a double needs no box. */
  readonly stored: readonly Field[];
  /** All others: a getter makes the value when it is read. */
  readonly computed: readonly Field[];
  /** Puts the columns into the slots of all fields. */
  readonly bind: (columns: Columns) => void;
}

/** Makes an object that stands for any row, and the function that reads it. */
export function makeReader(fields: RowFields): (columns: Columns) => RowAt {
  const row = newRow();
  const stored = fields.stored.map(([name, slot]): Field => [internalized(name), slot]);
  for (const [name] of stored)
    Object.defineProperty(row, name, { value: SOME_DOUBLE, writable: true, enumerable: true });
  for (const [name, slot] of fields.computed) {
    const get = generatedOrPlain(
      () => generatedGetter(slot, fields.place),
      () => () => readColumn(slot.column, fields.place.row),
    );
    Object.defineProperty(row, name, { get, enumerable: true });
  }
  return generatedOrPlain(
    () => generatedReader(row, { ...fields, stored }),
    () => plainReader(row, fields),
  );
}

/** What a field is before the first row: V8 then keeps doubles in it without a box. */
const SOME_DOUBLE = 0.5;

/** An object with a hidden class of its own: V8 does not mind what other objects have in fields of the same names. */
function newRow(): object {
  function Row(): void {}
  Row.prototype = Object.prototype;
  return Reflect.construct(Row, []) as object;
}

/** The same text as V8 keeps the keys of objects. To store under another string of the text is some 20 times slower. */
const internalized = (name: string): string => Object.keys({ [name]: 0 })[0] ?? name;

function plainReader(row: object, { place, stored, bind }: RowFields): (columns: Columns) => RowAt {
  return (columns) => (index) => {
    if (place.columns !== columns) bind(columns);
    place.columns = columns;
    place.row = columns.from + index;
    for (const [name, { values }] of stored) Reflect.set(row, name, values[place.row]);
    return row;
  };
}

/*
 * Functions with a text of their own, as readers of paths have one and for the same reason: their property accesses stay
 * monomorphic. Nothing of a user's is text.
 */

let textCount = 0;

/** Keeps V8 from inlining the reader into a loop, where it would use up the room for scorers. */
const padding = `if (index < 0) {${Array.from({ length: 40 }, (_, k) => `place.row = place.row * ${k} + index;`).join('')}}`;

/** @throws EvalError where code generation is forbidden */
function generatedReader(row: object, { place, stored, bind }: RowFields): (columns: Columns) => RowAt {
  textCount += 1;
  const params = stored.flatMap((_, k) => [`k${k}`, `s${k}`]);
  const stores = stored.map((_, k) => `row[k${k}]=s${k}.values[r];`).join('');
  const text = `return (columns) => { const from = columns.from; return (index) => {
${padding} if (place.columns !== columns) { bind(columns); place.columns = columns; }
const r = place.row = from + index; ${stores} return row; }; } // rows ${textCount}`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  const make = new Function('row', 'place', 'bind', ...params, text) as (
    ...given: readonly unknown[]
  ) => (columns: Columns) => RowAt;
  return make(row, place, bind, ...stored.flat());
}

/** @throws EvalError where code generation is forbidden */
function generatedGetter(slot: Slot, place: Place): () => unknown {
  textCount += 1;
  const text = `return () => { const s = slot.column, p = s.present, k = s.codes; let r = place.row;
if (p !== undefined && p[r] === 0) return undefined;
if (k !== undefined) { r = k[r]; if (r < 0) return undefined; }
return s.convert === undefined ? s.values[r] : s.convert(s.values[r]); } // getter ${textCount}`;
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- constant text; see above
  return (new Function('slot', 'place', text) as (slot: Slot, place: Place) => () => unknown)(slot, place);
}
