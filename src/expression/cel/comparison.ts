import { describeValue } from '../describe.js';
import type { Evaluate } from '../expression.js';
import { EvaluationFailure } from '../failure.js';
import { contains, equals } from './values.js';

/** Compares what is not two numbers: strings by code unit, absence with anything is absent. */
function compare(operation: string, x: unknown, y: unknown, decide: (order: number) => boolean): boolean | undefined {
  if (x === undefined || y === undefined) return undefined;
  if (typeof x === 'string' && typeof y === 'string') return decide(x < y ? -1 : x > y ? 1 : 0);
  const hint = x instanceof Date || y instanceof Date ? '; timestamp(x) makes a number of a Date' : '';
  const found = `${describeValue(x)} and ${describeValue(y)}`;
  throw new EvaluationFailure(`${operation} needs two numbers or two strings, found ${found}${hint}`);
}

const isLess = (order: number): boolean => order < 0;
const isAtMost = (order: number): boolean => order <= 0;
const isMore = (order: number): boolean => order > 0;
const isAtLeast = (order: number): boolean => order >= 0;

export const less =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return typeof x === 'number' && typeof y === 'number' ? x < y : compare('<', x, y, isLess);
  };

export const atMost =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return typeof x === 'number' && typeof y === 'number' ? x <= y : compare('<=', x, y, isAtMost);
  };

export const more =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return typeof x === 'number' && typeof y === 'number' ? x > y : compare('>', x, y, isMore);
  };

export const atLeast =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return typeof x === 'number' && typeof y === 'number' ? x >= y : compare('>=', x, y, isAtLeast);
  };

export const equal =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    if (x === undefined || y === undefined) return undefined;
    return typeof x === 'object' ? equals(x, y) : x === y;
  };

export const unequal =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    if (x === undefined || y === undefined) return undefined;
    return typeof x === 'object' ? !equals(x, y) : x !== y;
  };

export const isIn =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : contains(y, x);
  };
