import { matchAt } from '../path.js';

/** A part of the text: a name, a literal, an operator or punctuation, or its end. */
export interface Token {
  readonly kind: 'name' | 'quoted' | 'number' | 'string' | 'bytes' | 'sign' | 'end';
  readonly start: number;
  readonly end: number;
  /** The text as written; the name inside backticks of a quoted name. */
  readonly text: string;
  /** The value of a literal. */
  readonly value?: string | number;
  /** The type of a number in CEL. All numbers are doubles here. */
  readonly type?: 'int' | 'uint' | 'double';
}

/** A syntax error at a range of the source. */
export class SyntaxProblem extends Error {
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const SPACE = /(?:[\t\n\f\r ]+|\/\/[^\n]*)*/y;
const NAME = /[A-Za-z_]\w*/y;
const QUOTED_NAME = /`([A-Za-z0-9_.\-/ ]+)`/y;
const NUMBER = /(0[xX][0-9a-fA-F]+[uU]?)|((?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(\d+[uU]?)/y;
const QUOTE = /([bB]?[rR]?|[rR][bB])("""|'''|"|')/y;
const SIGN = /&&|\|\||[=!<>]=|[-+*/%<>!?:.,()[\]{}]/y;

/** Reads the token at an offset or after it. */
export function tokenAt(source: string, at: number): Token {
  const start = at + (matchAt(SPACE, source, at)?.[0].length ?? 0);
  if (start >= source.length) return { kind: 'end', start: source.length, end: source.length, text: '' };
  const quote = matchAt(QUOTE, source, start);
  if (quote) return stringAt(source, start, quote[1] ?? '', quote[2] ?? '');
  const name = matchAt(NAME, source, start);
  if (name) return { kind: 'name', start, end: start + name[0].length, text: name[0] };
  const number = matchAt(NUMBER, source, start);
  if (number) return numberToken(start, number);
  const quoted = matchAt(QUOTED_NAME, source, start);
  if (quoted) return { kind: 'quoted', start, end: start + quoted[0].length, text: quoted[1] ?? '' };
  const [text = source.charAt(start)] = matchAt(SIGN, source, start) ?? [];
  return { kind: 'sign', start, end: start + text.length, text };
}

function numberToken(start: number, [text, , double]: RegExpExecArray): Token {
  const unsigned = double === undefined && /[uU]$/.test(text);
  const value = Number(unsigned ? text.slice(0, -1) : text);
  const type = double !== undefined ? 'double' : unsigned ? 'uint' : 'int';
  return { kind: 'number', start, end: start + text.length, text, value, type };
}

function stringAt(source: string, start: number, prefix: string, quote: string): Token {
  const isRaw = /r/i.test(prefix);
  const isBytes = /b/i.test(prefix);
  const isLong = quote.length === 3;
  const first = start + prefix.length + quote.length;
  let value = '';
  let at = first;
  while (!source.startsWith(quote, at)) {
    const character = source.charAt(at);
    if (character === '' || (!isLong && (character === '\n' || character === '\r'))) {
      const end = isLong || character === '' ? source.length : at;
      throw new SyntaxProblem('unterminated string', start, end);
    }
    if (character === '\\' && !isRaw) {
      const [text, length] = escapeAt(source, at, isBytes);
      value += text;
      at += length;
    } else {
      // A raw string keeps a backslash, and the quote after it does not end the string.
      const length = character === '\\' && at + 1 < source.length ? 2 : 1;
      value += source.slice(at, at + length);
      at += length;
    }
  }
  const end = at + quote.length;
  return { kind: isBytes ? 'bytes' : 'string', start, end, text: source.slice(start, end), value };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};
const CODE = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/y;

/** The text of an escape sequence, and its length in the source. */
function escapeAt(source: string, at: number, isBytes: boolean): readonly [text: string, length: number] {
  const letter = source.charAt(at + 1);
  if (Object.hasOwn(ESCAPES, letter)) return [ESCAPES[letter] ?? '', 2];
  const code = matchAt(CODE, source, at);
  const point = code && (code[4] ? Number.parseInt(code[4], 8) : Number.parseInt(code[0].slice(2), 16));
  if (!code || point === null || point > 0x10_ffff || (point >= 0xd800 && point < 0xe000)) {
    const end = at + (code?.[0].length ?? 2);
    throw new SyntaxProblem(`invalid escape sequence ${source.slice(at, end)}`, at, end, 'write \\\\ for a backslash');
  }
  if (isBytes && (code[2] || code[3])) {
    throw new SyntaxProblem(`bytes have no escape sequence ${code[0]}`, at, at + code[0].length);
  }
  return [String.fromCodePoint(point), code[0].length];
}
