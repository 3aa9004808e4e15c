import type { BoundExpression } from '../expression.js';
import { BUILTINS, LIST_BUILTINS } from './builtins.js';

/** Compiles a call of a function; absent where one of its arguments is. */
export function compileCall(name: string, args: readonly BoundExpression[]): BoundExpression {
  const [a, b] = args;
  const builtin = (args.length === 1 ? LIST_BUILTINS.get(name) : undefined) ?? BUILTINS.get(name);
  if (builtin === undefined || a === undefined) throw new TypeError(`no function ${name} of ${args.length}`);
  const f = builtin.call;
  if (b === undefined) return callUnary(f, a);
  return args.length === 2 ? callBinary(f, a, b) : callVariadic(f, args);
}

type BuiltinFunction = (...args: unknown[]) => unknown;

const callUnary =
  (f: BuiltinFunction, a: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    return x === undefined ? undefined : f(x);
  };

const callBinary =
  (f: BuiltinFunction, a: BoundExpression, b: BoundExpression): BoundExpression =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : f(x, y);
  };

const callVariadic =
  (f: BuiltinFunction, args: readonly BoundExpression[]): BoundExpression =>
  (c, i) => {
    const values: unknown[] = [];
    for (const arg of args) {
      const value = arg(c, i);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return f(...values);
  };
