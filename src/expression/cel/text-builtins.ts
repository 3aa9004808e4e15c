import { ExpressionEvaluationError, spend, spendCharacters, spendText } from '../scope.js';
import type { CelType } from './checked-node.js';
import { throwMismatch, elementAt, isCelMap, keysOf } from './operators.js';
import { describeValue } from '../../base/index.js';
import { asRead } from '../path.js';

/** A function that every expression may call, as `f(x, …)` or `x.f(…)`. It is not called if an argument is absent. */
export interface Builtin {
  /** The allowed types of each argument. */
  readonly params: readonly (readonly CelType[])[];
  /** The number of optional arguments at the end. */
  readonly optional?: number;
  /** Whether more arguments of the last type may follow. They are folded from the left. */
  readonly variadic?: boolean;
  readonly result: CelType;
  /** Whether its result may be longer than all of its arguments. An expression that calls it counts its steps. */
  readonly grows?: true;
  /** By argument: throws a TypeError for an invalid constant, when the expression is loaded. */
  readonly constants?: readonly (((value: unknown) => void) | undefined)[];
  call(this: void, ...args: unknown[]): unknown;
}

/*
 * The string functions. `join` to `trim` are those of CEL's strings extension
 * (https://github.com/google/cel-go/tree/master/ext#strings). A position counts code points from 0.
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

/** A maximum count. An absent or negative limit means no limit. */
function limitOf(name: string, value: unknown): number {
  const limit = value === undefined ? -1 : wholeNumber(name, 'its limit', value);
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
}

/** The parts of a text between separators, or its code points if the separator is empty. */
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

/** Joins texts with a separator. Absent if one of them is absent. */
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

/** Replaces the occurrences of a text from the start. An empty text occurs before each code point. */
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

/** The part of a text from one position up to, but not including, another one or the end. */
function substring(value: unknown, from: unknown, to?: unknown): string {
  const text = textOf('substring', value);
  const first = wholeNumber('substring', 'its start', from);
  const start = first < 0 ? undefined : offsetOf(text, first);
  if (start === undefined) return throwOutside('substring', text, first);
  if (to === undefined) return text.slice(start);
  const last = wholeNumber('substring', 'its end', to);
  if (last < first && last >= 0) {
    throw new ExpressionEvaluationError(
      `substring() needs an end that is not before its start, found ${first}, ${last}`,
    );
  }
  const end = last < 0 ? undefined : offsetOf(text, last - first, start);
  return end === undefined ? throwOutside('substring', text, last) : text.slice(start, end);
}

function throwOutside(name: string, text: string, found: number): never {
  const size = countCodePoints(text);
  throw new ExpressionEvaluationError(
    `${name}() needs positions from 0 to ${size}, the size of its text, found ${found}`,
  );
}

/** Unicode's whitespace, which differs from that of JavaScript's `trim`. */
const WHITESPACE = /^\p{White_Space}$/u;

/** Removes whitespace from both ends of a text. */
function trim(value: unknown): string {
  const text = textOf('trim', value);
  let start = 0;
  let end = text.length;
  while (start < end && WHITESPACE.test(text.charAt(start))) start += 1;
  while (end > start && WHITESPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The character at a position; an empty text at the end. */
function charAt(value: unknown, position: unknown): string {
  const text = textOf('charAt', value);
  const at = wholeNumber('charAt', 'its position', position);
  const offset = at < 0 ? undefined : offsetOf(text, at);
  if (offset === undefined) return throwOutside('charAt', text, at);
  return text.slice(offset, offset + unitsAt(text, offset));
}

/** The position of a part of a text, -1 if it has none: the first one from a position, or the last one up to it. */
const indexOf =
  (name: 'indexOf' | 'lastIndexOf') =>
  (value: unknown, part: unknown, position?: unknown): number => {
    const text = textOf(name, value);
    const found = textOf(name, part);
    const from = position === undefined ? undefined : wholeNumber(name, 'its position', position);
    const offset = from === undefined ? undefined : from < 0 ? undefined : offsetOf(text, from);
    if (from !== undefined && offset === undefined) return throwOutside(name, text, from);
    const at = text[name](found, offset);
    return at <= 0 ? at : countCodePoints(text.slice(0, at));
  };

const ofText = (name: string, f: (text: string) => string): Builtin => ({
  params: [STRING],
  result: 'string',
  call: (x) => f(textOf(name, x)),
});

/** Decodes base64, with or without padding, to the text that it has in UTF-8. */
function decodeBase64(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return throwMismatch('base64.decode()', 'the base64 of a text', text);
  }
}

/** The number of characters or bytes that are converted at once. A list of all of them would take much memory. */
const CHUNK = 6144;

/** Converts bytes to a text, part by part. */
function textOfBytes(bytes: Uint8Array, convert: (chunk: Uint8Array) => string): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(convert(bytes.subarray(at, at + CHUNK)));
  return parts.join('');
}

const encodeBase64 = (text: string): string =>
  textOfBytes(new TextEncoder().encode(text), (chunk) => btoa(String.fromCharCode(...chunk)));

/** The code points of a text from its end. */
function reverse(text: string): string {
  const parts: string[] = [];
  for (let end = text.length; end > 0; ) {
    const at = Math.max(0, end - CHUNK);
    const start = at > 0 && unitsAt(text, at - 1) === 2 ? at - 1 : at; // does not divide a surrogate pair
    parts.push(Array.from(text.slice(start, end)).toReversed().join(''));
    end = start;
  }
  return parts.join('');
}

/** The string functions by name. */
export const TEXT_BUILTINS: readonly (readonly [name: string, builtin: Builtin])[] = [
  ['contains', stringPredicate('contains', (x, y) => x.includes(y))],
  ['startsWith', stringPredicate('startsWith', (x, y) => x.startsWith(y))],
  ['endsWith', stringPredicate('endsWith', (x, y) => x.endsWith(y))],
  ['charAt', { params: [STRING, NUMBER], result: 'string', call: charAt }],
  ['indexOf', { params: [STRING, STRING, NUMBER], optional: 1, result: 'number', call: indexOf('indexOf') }],
  ['lastIndexOf', { params: [STRING, STRING, NUMBER], optional: 1, result: 'number', call: indexOf('lastIndexOf') }],
  ['lower', ofText('lower', (text) => text.toLowerCase())],
  ['lowerAscii', ofText('lowerAscii', (text) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()))],
  ['upperAscii', ofText('upperAscii', (text) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()))],
  ['reverse', ofText('reverse', reverse)],
  ['base64.decode', ofText('base64.decode', decodeBase64)],
  ['base64.encode', { ...ofText('base64.encode', encodeBase64), grows: true }],
  ['format', { params: [STRING, LIST], result: 'string', grows: true, call: formatText }],
  ['strings.quote', { params: [STRING], result: 'string', grows: true, call: quoteText }],
  ['join', { params: [LIST, STRING], optional: 1, result: 'string', grows: true, call: join }],
  ['replace', { params: [STRING, STRING, STRING, NUMBER], optional: 1, result: 'string', grows: true, call: replace }],
  ['split', { params: [STRING, STRING, NUMBER], optional: 1, result: 'list', call: split }],
  ['substring', { params: [STRING, NUMBER, NUMBER], optional: 1, result: 'string', call: substring }],
  ['trim', { params: [STRING], result: 'string', call: trim }],
];

/** The number of UTF-16 units of the code point at an offset: two for a surrogate pair. */
const unitsAt = (text: string, at: number): number => {
  const high = (text.charCodeAt(at) & 0xfc00) === 0xd800;
  return high && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
};

/** The number of code points of a text. An unpaired surrogate counts as one. */
export function countCodePoints(text: string): number {
  spendText(text);
  let count = 0;
  for (let at = 0; at < text.length; at += unitsAt(text, at)) count += 1;
  return count;
}

/**
 * The offset in UTF-16 units of the code point at a position. For the position after the last code point, it is the
 * length of the text.
 *
 * @param position a whole number, 0 or more
 * @param from     the offset of a code point from which the position is counted
 * @returns undefined if the text has fewer code points
 */
function offsetOf(text: string, position: number, from = 0): number | undefined {
  let at = from;
  let left = position;
  for (; left > 0 && at < text.length; left -= 1) at += unitsAt(text, at);
  return left > 0 ? undefined : at;
}

/*
 * `format` and `quote` of CEL's strings extension (https://github.com/google/cel-go/tree/master/ext#strings).
 */

/** The maximum number of digits after the point. Doubles have no more. */
const MAX_PRECISION = 100;

const CLAUSE = /%(?:%|(?:\.(\d{1,9}))?([A-Za-z])|)/g;

/** `"%s has %d stars".format([candidate.name, candidate.stars])`. */
export function formatText(template: unknown, args: unknown): string {
  if (typeof template !== 'string') return throwMismatch('format()', 'a string', template);
  if (!Array.isArray(args)) return throwMismatch('format()', 'a list of values', args);
  spendText(template);
  let next = 0;
  return template.replace(CLAUSE, (clause, digits: string | undefined, letter: string | undefined) => {
    if (clause === '%%') return '%';
    if (letter === undefined) throw new ExpressionEvaluationError('format() needs a letter after %, or %% for a %');
    const write = Object.hasOwn(CLAUSES, letter) ? CLAUSES[letter] : undefined;
    if (!write) {
      const known = Object.keys(CLAUSES).join(', %');
      throw new ExpressionEvaluationError(`format() has no clause %${letter}; there are %${known}`);
    }
    if (next >= args.length) {
      throw new ExpressionEvaluationError(`format() has ${args.length} values, and more clauses than that`);
    }
    const precision = digits === undefined ? 6 : Number(digits);
    if (precision > MAX_PRECISION) {
      throw new ExpressionEvaluationError(`format() has at most ${MAX_PRECISION} digits, found ${clause}`);
    }
    const text = write(asRead(args[next]) ?? null, precision);
    next += 1;
    spendText(text);
    return text;
  });
}

const CLAUSES: Readonly<Record<string, (value: unknown, precision: number) => string>> = {
  s: (value) => plainText(value, 0),
  d: (value) => integerText('%d', value, 10),
  f: (value, precision) => fixedText(numberOf('%f', value), precision),
  e: (value, precision) => exponentText(numberOf('%e', value), precision),
  b: (value) => (typeof value === 'boolean' ? String(Number(value)) : integerText('%b', value, 2)),
  o: (value) => integerText('%o', value, 8),
  x: (value) => hexText('%x', value),
  X: (value) => hexText('%X', value).toUpperCase(),
};

const numberOf = (clause: string, value: unknown): number =>
  typeof value === 'number' ? value : throwMismatch(clause, 'a number', value);

function integerText(clause: string, value: unknown, radix: number): string {
  const number = numberOf(clause, value);
  if (!Number.isFinite(number)) return String(number);
  return Number.isInteger(number) ? BigInt(number).toString(radix) : throwMismatch(clause, 'a whole number', value);
}

function hexText(clause: string, value: unknown): string {
  if (typeof value !== 'string') return integerText(clause, value, 16);
  spendText(value);
  return textOfBytes(new TextEncoder().encode(value), (chunk) =>
    Array.from(chunk, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  );
}

/** Digits after the point. A tie is rounded to an even digit. */
function fixedText(value: number, precision: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (size >= 1e21) return `${sign}${BigInt(size)}${precision > 0 ? `.${'0'.repeat(precision)}` : ''}`;
  const exact = size.toFixed(MAX_PRECISION);
  const kept = exact.slice(0, exact.indexOf('.') + (precision === 0 ? 0 : 1 + precision));
  const isTie = /^\.?50*$/.test(exact.slice(kept.length)) && /[02468]$/.test(kept);
  return sign + (isTie ? kept : size.toFixed(precision));
}

/** `1.05e+03`: the exponent has two digits at least. */
const exponentText = (value: number, precision: number): string =>
  Number.isFinite(value) ? value.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2') : String(value);

const MAX_DEPTH = 200;

/** A value as `%s` writes it. The keys of a map are sorted. */
function plainText(value: unknown, depth: number): string {
  spend(1);
  if (depth > MAX_DEPTH) throw new ExpressionEvaluationError('%s cannot write a value that contains itself');
  const read = asRead(value) ?? null;
  if (typeof read === 'string') spendText(read);
  if (read === null || typeof read === 'string' || typeof read === 'number' || typeof read === 'boolean') {
    return String(read);
  }
  if (Array.isArray(read)) return `[${read.map((part) => plainText(part, depth + 1)).join(', ')}]`;
  if (!isCelMap(read)) throw new ExpressionEvaluationError(`%s cannot write ${describeValue(read)}`);
  const entries = keysOf(read).map((key) => [String(key), plainText(elementAt(read, key), depth + 1)] as const);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, text]) => `${key}: ${text}`).join(', ')}}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text as a literal of CEL. Half of a surrogate pair becomes U+FFFD. */
export function quoteText(value: unknown): string {
  if (typeof value !== 'string') return throwMismatch('strings.quote()', 'a string', value);
  spendText(value);
  const escaped = value.replace(/["\\]|\p{Cc}/gu, (character) => ESCAPES[character] ?? character);
  return `"${escaped.replace(/\p{Surrogate}/gu, '\ufffd')}"`;
}
