import { ExpressionEvaluationError } from '../scope.js';
import type { CelType } from './checked-node.js';
import { throwMismatch } from './operators.js';
import { spend, spendCharacters, spendText } from './step-budget.js';

/** A function that every expression may call, as `f(x, …)` or `x.f(…)`. It is not called with an absent argument. */
export interface Builtin {
  /** The types that each argument may have. */
  readonly params: readonly (readonly CelType[])[];
  /** How many of them, the last ones, may be left out. */
  readonly optional?: number;
  /** Whether more arguments of the last type may follow: they are folded from the left. */
  readonly variadic?: boolean;
  readonly result: CelType;
  /** Whether what it makes may be longer than all of its arguments: an expression that calls it counts its steps. */
  readonly grows?: true;
  /** By argument: throws a TypeError if a constant is none that it takes, which is found when the expression is loaded. */
  readonly constants?: readonly (((value: unknown) => void) | undefined)[];
  /** The function on bare numbers: NaN in gives NaN out. */
  readonly numeric?: NumericForm;
  call(this: void, ...args: unknown[]): unknown;
}

/** A function of bare numbers, with how many it takes. */
type NumericForm =
  | { readonly takes: 1; readonly f: (x: number) => number }
  | { readonly takes: 2; readonly f: (x: number, y: number) => number }
  | { readonly takes: 3; readonly f: (x: number, y: number, z: number) => number };

/*
 * The functions of texts. Those from `join` to `trim` are of CEL's strings extension
 * (https://github.com/google/cel-go/tree/master/ext#strings); a position is counted in code points, from 0.
 */

const NUMBER = ['number'] as const;
const STRING = ['string'] as const;
const LIST = ['list'] as const;

const stringPredicate = (name: string, f: (x: string, y: string) => boolean): Builtin => ({
  params: [STRING, STRING],
  result: 'bool',
  call: (x, y) => {
    if (typeof x === 'string' && typeof y === 'string') {
      spendText(x);
      return f(x, y);
    }
    const found = typeof x === 'string' ? y : x;
    const instead = name === 'contains' && Array.isArray(x) ? ' (for a list write: value in list)' : '';
    return throwMismatch(`${name}()`, `strings${instead}`, found);
  },
});

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string') return throwMismatch(`${name}()`, 'a string', value);
  spendText(value);
  return value;
}

function wholeNumber(name: string, what: string, value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value)
    ? value
    : throwMismatch(`${name}()`, `a whole number as ${what}`, value);
}

/** A limit of how many; without one, or with a negative one, there is none. */
function limitOf(name: string, value: unknown): number {
  const limit = value === undefined ? -1 : wholeNumber(name, 'its limit', value);
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
}

/** The pieces of a text between separators; its code points, where the separator is empty. */
function split(value: unknown, by: unknown, most?: unknown): readonly string[] {
  const text = textOf('split', value);
  const separator = textOf('split', by);
  const limit = limitOf('split', most);
  if (limit === 0) return [];
  const pieces: string[] = [];
  let start = 0;
  while (pieces.length + 1 < limit) {
    const end = separator === '' ? offsetOf(text, 1, start) : text.indexOf(separator, start);
    if (end === undefined || end < 0 || (separator === '' && end >= text.length)) break;
    spend(1);
    pieces.push(text.slice(start, end));
    start = end + separator.length;
  }
  if (separator === '' && text === '') return pieces;
  pieces.push(text.slice(start));
  return pieces;
}

/** Texts one after the other, with a separator between them; absent if one of them is. */
function join(list: unknown, by: unknown = ''): string | undefined {
  if (!Array.isArray(list)) return throwMismatch('join()', 'a list of strings', list);
  const separator = textOf('join', by);
  spend(list.length);
  spendCharacters(separator.length * list.length);
  for (const part of list as readonly unknown[]) {
    if (part === undefined || part === null) return undefined;
    if (typeof part !== 'string') return throwMismatch('join()', 'a list of strings', part);
    spendText(part);
  }
  return list.join(separator);
}

/** A text with another one for each that is found in it, from its start; before each code point, if that is empty. */
function replace(value: unknown, old: unknown, by: unknown, most?: unknown): string {
  const text = textOf('replace', value);
  const found = textOf('replace', old);
  const instead = textOf('replace', by);
  const limit = limitOf('replace', most);
  let made = '';
  let start = 0;
  for (let n = 0; n < limit; n += 1) {
    const at = found === '' ? offsetOf(text, n === 0 ? 0 : 1, start) : text.indexOf(found, start);
    if (at === undefined || at < 0) break;
    spend(1);
    spendText(instead);
    made += text.slice(start, at) + instead;
    start = at + found.length;
  }
  return made + text.slice(start);
}

/** The part of a text from one position to before another one, or to its end. */
function substring(value: unknown, from: unknown, to?: unknown): string {
  const text = textOf('substring', value);
  const first = wholeNumber('substring', 'its start', from);
  const start = first < 0 ? undefined : offsetOf(text, first);
  if (start === undefined) return throwOutside(text, first);
  if (to === undefined) return text.slice(start);
  const last = wholeNumber('substring', 'its end', to);
  if (last < first && last >= 0) {
    throw new ExpressionEvaluationError(
      `substring() needs an end that is no less than its start, found ${first}, ${last}`,
    );
  }
  const end = last < 0 ? undefined : offsetOf(text, last - first, start);
  return end === undefined ? throwOutside(text, last) : text.slice(start, end);
}

function throwOutside(text: string, found: number): never {
  const size = countCodePoints(text);
  throw new ExpressionEvaluationError(
    `substring() needs positions from 0 to ${size}, the size of its text, found ${found}`,
  );
}

/** Whitespace as Unicode has it; not the same as in JavaScript's `trim`. */
const WHITESPACE = /^\p{White_Space}$/u;

/** A text without the whitespace at its ends. */
function trim(value: unknown): string {
  const text = textOf('trim', value);
  let start = 0;
  let end = text.length;
  while (start < end && WHITESPACE.test(text.charAt(start))) start += 1;
  while (end > start && WHITESPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The functions of texts, by name. */
export const TEXT_BUILTINS: readonly (readonly [name: string, builtin: Builtin])[] = [
  ['contains', stringPredicate('contains', (x, y) => x.includes(y))],
  ['startsWith', stringPredicate('startsWith', (x, y) => x.startsWith(y))],
  ['endsWith', stringPredicate('endsWith', (x, y) => x.endsWith(y))],
  ['lower', { params: [STRING], result: 'string', call: (x) => textOf('lower', x).toLowerCase() }],
  ['join', { params: [LIST, STRING], optional: 1, result: 'string', grows: true, call: join }],
  ['replace', { params: [STRING, STRING, STRING, NUMBER], optional: 1, result: 'string', grows: true, call: replace }],
  ['split', { params: [STRING, STRING, NUMBER], optional: 1, result: 'list', call: split }],
  ['substring', { params: [STRING, NUMBER, NUMBER], optional: 1, result: 'string', call: substring }],
  ['trim', { params: [STRING], result: 'string', call: trim }],
];

/** How many UTF-16 units the code point at an offset of a text takes: two for a pair of surrogates. */
const unitsAt = (text: string, at: number): number => {
  const high = (text.charCodeAt(at) & 0xfc00) === 0xd800;
  return high && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
};

/** How many code points a text has. A surrogate without its other half is one. */
export function countCodePoints(text: string): number {
  spendText(text);
  let count = 0;
  for (let at = 0; at < text.length; at += unitsAt(text, at)) count += 1;
  return count;
}

/**
 * The offset in UTF-16 units of the code point at a position; the length of the text for the position after its last
 * one.
 *
 * @param position a whole number of 0 or more
 * @param from     an offset at which a code point starts: the position is counted from there
 * @returns undefined if the text has fewer
 */
function offsetOf(text: string, position: number, from = 0): number | undefined {
  let at = from;
  let left = position;
  for (; left > 0 && at < text.length; left -= 1) at += unitsAt(text, at);
  return left > 0 ? undefined : at;
}
