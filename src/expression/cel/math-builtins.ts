import { ExpressionEvaluationError } from '../scope.js';
import { asRead } from '../path.js';
import { throwMismatch } from './operators.js';
import { spend } from './step-budget.js';
import type { Builtin } from './text-builtins.js';

/*
 * The functions of CEL's math extension (https://github.com/google/cel-go/tree/master/ext#math) that are not the same as
 * one with a shorter name. Bit operations work on integers of 64 bits; the result is the nearest double.
 */

const NUMBER = ['number'] as const;

const ofNumber = <R>(name: string, result: 'number' | 'bool', f: (x: number) => R): Builtin => ({
  params: [NUMBER],
  result,
  call: (x) => (typeof x === 'number' ? f(x) : throwMismatch(`math.${name}()`, 'a number', x)),
});

/** The greatest or least of one number or of a list of numbers. Calls with more arguments are `max` and `min`. */
const extremum = (name: string, f: (x: number, y: number) => number): Builtin => ({
  params: [['number', 'list']],
  result: 'number',
  call: (value) => {
    if (typeof value === 'number') return value;
    if (!Array.isArray(value)) return throwMismatch(`math.${name}()`, 'numbers', value);
    spend(value.length);
    let best: number | undefined;
    for (const part of value as readonly unknown[]) {
      const number = asRead(part);
      if (typeof number !== 'number') return throwMismatch(`math.${name}()`, 'a list of numbers', part);
      best = best === undefined ? number : f(best, number);
    }
    return best ?? throwMismatch(`math.${name}()`, 'a list with a number', value);
  },
});

function integerOf(name: string, value: unknown): bigint {
  return typeof value === 'number' && Number.isInteger(value)
    ? BigInt.asIntN(64, BigInt(value))
    : throwMismatch(`math.${name}()`, 'whole numbers', value);
}

const bits = (name: string, f: (x: bigint, y: bigint) => bigint): Builtin => ({
  params: [NUMBER, NUMBER],
  result: 'number',
  call: (x, y) => Number(f(integerOf(name, x), integerOf(name, y))),
});

/** Shifts by 64 bits or more give 0. */
const shift = (name: string, f: (x: bigint, by: bigint) => bigint): Builtin =>
  bits(name, (x, by) => {
    if (by < 0n) throw new ExpressionEvaluationError(`math.${name}() needs a positive number of bits, found ${by}`);
    return by > 63n ? 0n : f(x, by);
  });

export const MATH_BUILTINS: readonly (readonly [name: string, builtin: Builtin])[] = [
  ['math.greatest', extremum('greatest', Math.max)],
  ['math.least', extremum('least', Math.min)],
  ['math.round', ofNumber('round', 'number', (x) => Math.sign(x) * Math.round(Math.abs(x)))],
  ['math.trunc', ofNumber('trunc', 'number', Math.trunc)],
  ['math.sign', ofNumber('sign', 'number', Math.sign)],
  ['math.isNaN', ofNumber('isNaN', 'bool', Number.isNaN)],
  ['math.isInf', ofNumber('isInf', 'bool', (x) => Math.abs(x) === Number.POSITIVE_INFINITY)],
  ['math.isFinite', ofNumber('isFinite', 'bool', Number.isFinite)],
  ['math.bitAnd', bits('bitAnd', (x, y) => x & y)],
  ['math.bitOr', bits('bitOr', (x, y) => x | y)],
  ['math.bitXor', bits('bitXor', (x, y) => x ^ y)],
  ['math.bitNot', ofNumber('bitNot', 'number', (x) => Number(~integerOf('bitNot', x)))],
  ['math.bitNot(uint)', ofNumber('bitNot', 'number', (x) => Number(BigInt.asUintN(64, ~BigInt(Math.trunc(x)))))],
  ['math.bitShiftLeft', shift('bitShiftLeft', (x, by) => BigInt.asIntN(64, x << by))],
  ['math.bitShiftRight', shift('bitShiftRight', (x, by) => BigInt.asUintN(64, x) >> by)],
];
