import type { CelType } from './types.js';

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
  /** By argument: throws a TypeError where a constant is none that it takes, which is found when the expression is loaded. */
  readonly constants?: readonly (((value: unknown) => void) | undefined)[];
  /** The function on bare numbers: NaN in gives NaN out. */
  readonly numeric?: NumericForm;
  call(this: void, ...args: unknown[]): unknown;
}

/** A function of bare numbers, with how many it takes. */
export type NumericForm =
  | { readonly takes: 1; readonly f: (x: number) => number }
  | { readonly takes: 2; readonly f: (x: number, y: number) => number }
  | { readonly takes: 3; readonly f: (x: number, y: number, z: number) => number };
