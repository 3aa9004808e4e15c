import { describeValue } from '../../base/index.js';
import { ExpressionEvaluationError } from '../scope.js';
import { asRead } from '../path.js';
import { elementAt, isCelMap, keysOf, throwMismatch } from './operators.js';
import { spend, spendText } from './step-budget.js';

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
  return Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
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
  if (read === null || ['string', 'number', 'boolean'].includes(typeof read)) return String(read);
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
  const escaped = value.replace(/["\\\u0007\b\f\n\r\t\v]/g, (character) => ESCAPES[character] ?? character);
  return `"${escaped.replace(/\p{Surrogate}/gu, '\ufffd')}"`;
}
