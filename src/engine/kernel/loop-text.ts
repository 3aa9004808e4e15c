import { type Column, type Columns, NO_COLUMN } from '../../data/index.js';
import {
  type Answer,
  type FieldText,
  generatedOrPlain,
  isPlainName,
  type RowFormula,
  type RowSource,
  RowText,
  TextNames,
} from '../../expression/index.js';

/** An entry as a loop computes it. */
export interface LoopEntry {
  /** The id of a scorer, by which rules read its score. */
  readonly id?: string;
  /** The approximate number of bytecodes of its function. */
  readonly size: number;
  /** Its computation, which becomes part of the loop; undefined if the loop calls its function on every row. */
  readonly formula?: RowFormula | undefined;
  /** Whether its numbers were computed before the loop. */
  readonly isKnown?: boolean;
  /** The numbers that the loop accepts from the formula. For any other, it calls the function. */
  readonly range?: readonly [least: number, most: number] | undefined;
  /** The score of a row for which the formula is absent: a number, or none. If undefined, the loop calls the function. */
  readonly onAbsent?: number | 'skip' | undefined;
}

/** V8 inlines about 920 bytecodes of callees into one function. Beyond that, each call costs as much as a whole scorer. */
const INLINING_BUDGET = 1000; // sizes are estimates, and rather too high

/** V8 does not optimize a function of more than 60 kB of bytecodes, and needs long for one that is not much shorter. */
const TEXT_BUDGET = 12_000; // about 85 short expressions; with skipped scores, the text is about three times as long

/** A consecutive range of entries. */
export type Group = readonly [from: number, to: number];

/**
 * Groups entries, so that V8 optimizes the loop of each group and inlines the functions that it calls.
 *
 * @param spent the bytecodes that the first loop calls besides these entries
 */
export function groupsOf(entries: readonly LoopEntry[], spent = 0): readonly Group[] {
  const groups: Group[] = [];
  let from = 0;
  let used = spent;
  let written = 0;
  for (const [k, entry] of entries.entries()) {
    const size = sizeOf(entry);
    if (k > from && (used + size > INLINING_BUDGET || written + entry.size > TEXT_BUDGET)) {
      groups.push([from, k]);
      from = k;
      used = 0;
      written = 0;
    }
    used += size;
    written += entry.size;
  }
  return [...groups, [from, entries.length]];
}

/** The bytecodes that V8 must inline for an entry: none if it is text. */
export const sizeOf = ({ size, formula, isKnown }: LoopEntry): number => (formula || isKnown ? 0 : size);

/** The text of one generated function over rows. */
export class LoopText {
  readonly names = new TextNames();
  readonly row: RowText;
  /** The text of the candidate. */
  readonly candidate: string;
  /** The text that starts a row. */
  readonly start: string;
  readonly #columns: ColumnText | undefined;

  /**
   * @param position the text of the candidate's position
   * @param index    the text of the index that functions receive
   * @param table    the columns if candidates are stored by column: the loop fits all columns of the same kinds
   */
  constructor(position: string, index: string, table: Columns | undefined) {
    this.#columns = table && new ColumnText(this.names, table);
    this.candidate = table ? `(c===undefined?c=k.at(${position}):c)` : 'c';
    this.start = table ? `const $r=$o+${position};let c;` : `const c=C[${position}];`;
    const field = this.#columns ? this.#columns.field : objectField;
    const source: RowSource = { field, candidate: this.candidate, index };
    this.row = new RowText(this.names, source);
  }

  /**
   * Makes the function. Copies of one text would share V8's type feedback, so each text has a number.
   *
   * @param params the names of its parameters, `k` among them; it reads `k.candidates`
   * @param body   the text of the loop, which starts after the statements that must run before it
   * @throws EvalError if code generation is forbidden
   */
  make(params: readonly string[], body: string): (...args: readonly unknown[]) => unknown {
    loopCount += 1;
    const { slots } = this.names;
    const bind = slots.map((_, n) => `const _${n}=S[${n}];`).join('');
    const before = `${this.#columns?.before ?? ''}${this.row.before}`;
    const text = `"use strict";${bind}return (${params.join(',')})=>{const n=0,C=k.candidates;${padding}${before}${body}}\n//# sourceURL=assize-loop-${loopCount}`;
    // oxlint-disable-next-line no-implied-eval -- the text comes from a closed grammar: see RowText
    return (new Function('S', text) as (slots: readonly unknown[]) => (...args: readonly unknown[]) => unknown)(slots);
  }
}

let loopCount = 0;

/** `text(from) … text(to - 1)`, joined. */
export function joinTexts(from: number, to: number, text: (k: number) => string, separator = ''): string {
  return Array.from({ length: Math.max(0, to - from) }, (_, k) => text(from + k)).join(separator);
}

/** Prevents V8 from inlining a loop into its caller before the loop is hot, which would use up the caller's budget. */
const padding = `if (n < 0) {${joinTexts(0, 40, (k) => `C[${k}]=C[n+${k}]+${k};`)}}`;

/** The generated loop; the plain one if code generation is forbidden, or if `allowed` is false. */
export const loopOrPlain = <F>(allowed: boolean, make: () => F, plain: () => F): F =>
  allowed ? generatedOrPlain(make, plain) : plain();

const objectField = (key: string): FieldText | undefined =>
  isPlainName(key) ? { value: `c.${key}`, isNumber: false } : undefined;

/** Reads fields from columns, by the index of the row. */
class ColumnText {
  #before = 'const $t=k.table,$o=$t.from;';
  readonly #fields = new Map<string, FieldText>();

  constructor(
    private readonly names: TextNames,
    private readonly table: Columns,
  ) {}

  /** The statements that read the arrays of the columns. */
  get before(): string {
    return this.#before;
  }

  readonly field = (key: string): FieldText => {
    const known = this.#fields.get(key) ?? this.#write(key);
    this.#fields.set(key, known);
    return known;
  };

  #write(key: string): FieldText {
    const column = this.table.columns.get(key);
    if (!column) return { value: 'undefined', isNumber: false };
    const { names } = this;
    const name = names.fresh();
    this.#before += `const ${name}=$t.columns.get(${names.slot(key)})??${names.slot(NO_COLUMN)},${name}v=${name}.values;`;
    if (column.present) this.#before += `const ${name}p=${name}.present;`;
    if (column.convert) this.#before += `const ${name}f=${name}.convert;`;
    const absent = column.present ? `${name}p[$r]===0` : undefined;
    const converted = (value: string): string => (column.convert ? `${name}f(${value})` : value);
    if (column.codes) {
      this.#before += `const ${name}k=${name}.codes;`;
      const code = absent === undefined ? `${name}k[$r]` : `(${absent}?-1:${name}k[$r])`;
      const found = (tables: (dictionary: ArrayLike<unknown>) => Uint8Array | Float64Array): string => {
        const table = names.fresh();
        this.#before += `const ${table}=${names.slot(tables)}(${name}v);`;
        return `${table}[${code}+1]`;
      };
      const value = converted(`(${code}<0?undefined:${name}v[${code}])`);
      if (column.convert) return { value, isNumber: false };
      const answer = (test: (value: unknown) => Answer): string => found(tablesOf(Uint8Array, test));
      const lookup = (compute: (value: unknown) => number): string => found(tablesOf(Float64Array, compute));
      return { value, isNumber: false, answer, lookup };
    }
    if (isNumeric(column)) {
      return { value: column.convert ? `Number(${name}v[$r])` : `${name}v[$r]`, isNumber: true, absent };
    }
    const value = converted(`${name}v[$r]`);
    return { value: absent === undefined ? value : `(${absent}?undefined:${value})`, isNumber: false };
  }
}

/** By dictionary: the numbers for its values, after the one for an absent value. A dictionary may grow from part to part. */
function tablesOf<T extends Uint8Array | Float64Array>(
  Table: new (size: number) => T,
  compute: (value: unknown) => number,
): (dictionary: ArrayLike<unknown>) => T {
  const tables = new WeakMap<ArrayLike<unknown>, T>();
  return (dictionary) => {
    const known = tables.get(dictionary);
    if (known?.length === dictionary.length + 1) return known;
    const table = new Table(dictionary.length + 1);
    if (known) table.set(known.subarray(0, table.length));
    else table[0] = compute(undefined);
    for (let at = known?.length ?? 1; at < table.length; at++) table[at] = compute(dictionary[at - 1]);
    tables.set(dictionary, table);
    return table;
  };
}

const isNumeric = ({ values, convert }: Column): boolean =>
  ArrayBuffer.isView(values) && (convert === undefined || convert === Number);

/** What decides how the fields of some columns are read. A loop made for one table fits all with the same kinds. */
export const columnKinds = ({ columns }: Columns, fields: ReadonlySet<string>): string =>
  Array.from(fields, (field) => {
    const column = columns.get(field);
    if (!column) return '-';
    const { values, codes, present, convert } = column;
    const convertKind = convert === undefined ? '' : convert === Number ? 'n' : 'c';
    return `${values.constructor.name}${codes?.constructor.name ?? ''}${present ? '?' : ''}${convertKind}`;
  }).join(' ');
