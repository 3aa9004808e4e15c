import type { Evaluate } from '../expression.js';
import { BUILTINS, OF_LIST } from './functions.js';

/** A call of a function; absent where one of its arguments is. */
export function call(name: string, args: readonly Evaluate[]): Evaluate {
  const [a, b] = args;
  const builtin = (args.length === 1 ? OF_LIST.get(name) : undefined) ?? BUILTINS.get(name);
  if (builtin === undefined || a === undefined) throw new TypeError(`no function ${name} of ${args.length}`);
  const f = builtin.call;
  if (b === undefined) return call1(f, a);
  return args.length === 2 ? call2(f, a, b) : callMany(f, args);
}

type Call = (...args: unknown[]) => unknown;

const call1 =
  (f: Call, a: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    return x === undefined ? undefined : f(x);
  };

const call2 =
  (f: Call, a: Evaluate, b: Evaluate): Evaluate =>
  (c, i) => {
    const x = a(c, i);
    const y = b(c, i);
    return x === undefined || y === undefined ? undefined : f(x, y);
  };

const callMany =
  (f: Call, args: readonly Evaluate[]): Evaluate =>
  (c, i) => {
    const values: unknown[] = [];
    for (const arg of args) {
      const value = arg(c, i);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return f(...values);
  };
