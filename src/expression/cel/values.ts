import { describeValue, isObject } from '../../diagnostics/index.js';
import { ExpressionEvaluationError } from '../errors.js';
import { asRead, isMap, ownValue } from '../plain-data.js';
import { spend, spendText } from './step-budget.js';

/** Throws an error that names what an operation needs and what it found. */
export function throwMismatch(operation: string, needs: string, found: unknown): never {
  throw new ExpressionEvaluationError(`${operation} needs ${needs}, found ${describeValue(found)}`);
}

/** A map as CEL means it: neither a list nor something with an identity of its own, such as a Date. */
export const isCelMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isMap(value) && !(value instanceof Date);

/** Deeper than any data: a value that is deeper contains itself. */
const MAX_VALUE_DEPTH = 200;

/** Deep equality. Values of different kinds are different; a map is compared by its own keys. */
export function equals(a: unknown, b: unknown, depth = 0): boolean {
  spend(1);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) spendText(a);
    return a === b;
  }
  if (a === b) return true;
  if (a instanceof Date || b instanceof Date) return asRead(a) === asRead(b);
  if (!isObject(a) || !isObject(b)) return false;
  if (depth > MAX_VALUE_DEPTH)
    throw new ExpressionEvaluationError('== needs values that end, found one that contains itself');
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, n) => equals(value, b[n], depth + 1));
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  spend(keys.length);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equals(a[key], b[key], depth + 1));
}

const LONG_TEXT = 256;

/** Whether a value is a text that takes more than a moment to compare. */
export const isLongText = (value: unknown): value is string => typeof value === 'string' && value.length > LONG_TEXT;

const isDateOf = (element: unknown, millis: number): boolean =>
  typeof element === 'object' && asRead(element) === millis;

/** Whether a list has an equal element, or a map the key. */
export function contains(holder: unknown, value: unknown): boolean {
  if (Array.isArray(holder)) {
    if (isObject(value) || isLongText(value)) return holder.some((element) => equals(element, value));
    spend(holder.length);
    return (
      holder.indexOf(value) >= 0 || (typeof value === 'number' && holder.some((element) => isDateOf(element, value)))
    );
  }
  if (!isCelMap(holder)) return throwMismatch('in', 'a list or a map on its right', holder);
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return Object.hasOwn(holder, value);
}

/** The element of a list at a position, or the value of a map under a key; absent when there is none. */
export function elementAt(holder: unknown, key: unknown): unknown {
  if (!isObject(holder)) return undefined;
  if (typeof key !== 'string' && typeof key !== 'number') return throwMismatch('[ ]', 'a number or a string', key);
  if (Array.isArray(holder) && typeof key === 'string') return throwMismatch('[ ] on a list', 'a number', key);
  return asRead(ownValue(holder, key));
}
