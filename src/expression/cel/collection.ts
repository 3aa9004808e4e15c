import type { BoundExpression } from '../expression.js';
import { spend } from './step-budget.js';
import { elementAt, throwMismatch } from './values.js';

/** A list; absent where one of its elements is. */
export const list =
  (parts: readonly BoundExpression[]): BoundExpression =>
  (c, i) => {
    spend(1 + parts.length);
    const values: unknown[] = [];
    for (const part of parts) {
      const value = part(c, i);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  };

/** A map takes as much memory as a list of so many elements. */
const STEPS_OF_A_MAP = 8;

/** A map; absent where a key or a value is. It has no prototype: any key is only a key. */
export const map =
  (entries: readonly (readonly [BoundExpression, BoundExpression])[]): BoundExpression =>
  (c, i) => {
    spend(STEPS_OF_A_MAP + entries.length);
    const values: Record<string, unknown> = Object.create(null);
    for (const [keyOf, valueOf] of entries) {
      const key = keyOf(c, i);
      const value = valueOf(c, i);
      if (key === undefined || value === undefined) return undefined;
      if (typeof key !== 'string' && typeof key !== 'number')
        return throwMismatch('the key of a map', 'a string or a number', key);
      values[key] = value;
    }
    return values;
  };

export const elementOf =
  (a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : elementAt(x, y);
  };
