import { type BoundExpression, ExpressionEvaluationError } from '../scope.js';
import { asRead } from '../path.js';
import type { MacroName } from './checked-node.js';
import { elementAt, isCelMap, isRecoverable, keysOf, makeMap, throwMismatch } from './operators.js';
import { spend } from './step-budget.js';

/** Holds the value of a variable of a macro. */
export interface LocalSlot {
  value: unknown;
}

export interface MacroParts {
  readonly list: BoundExpression;
  readonly slot: LocalSlot;
  readonly index: LocalSlot | undefined;
  readonly test: BoundExpression | undefined;
  readonly value: BoundExpression | undefined;
}

/** The elements of a list, the keys of a map. */
function elements(name: MacroName, holder: unknown): readonly unknown[] {
  if (Array.isArray(holder)) return holder;
  return isCelMap(holder) ? keysOf(holder) : throwMismatch(`${name}()`, 'a list or a map', holder);
}

/** The functions of one evaluation of a macro. `holds` sets the variables for an element. */
interface Visit {
  holds(this: void, element: unknown, position: number): boolean;
  valueNow(this: void): unknown;
}

/** Tests elements until one has the answer that decides. An error counts only if no other element decides. */
function decides(values: readonly unknown[], { holds }: Visit, deciding: boolean): boolean {
  let failure: { readonly error: unknown } | undefined;
  for (let n = 0; n < values.length; n++) {
    try {
      if (holds(values[n], n) === deciding) return true;
    } catch (error) {
      if (!isRecoverable(error)) throw error;
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
  return false;
}

const transform = (values: readonly unknown[], { holds, valueNow }: Visit): readonly unknown[] =>
  values.map((value, n) => (holds(value, n) ? valueNow() : undefined)).filter((value) => value !== undefined);

type MacroRunner = (values: readonly unknown[], visit: Visit, isList: boolean) => unknown;

const MACRO_RUNNERS: Readonly<Record<Exclude<MacroName, 'bind' | 'optMap'>, MacroRunner>> = {
  all: (values, visit) => !decides(values, visit, false),
  exists: (values, visit) => decides(values, visit, true),
  exists_one: (values, { holds }) => values.filter((value, n) => holds(value, n)).length === 1,
  filter: (values, { holds }) => values.filter((value, n) => holds(value, n)),
  map: transform,
  transformList: transform,
  transformMap: (values, { holds, valueNow }, isList) =>
    makeMap(
      values.flatMap((key, n) => {
        const value = holds(key, n) ? valueNow() : undefined;
        return value === undefined ? [] : [[isList ? n : key, value] as const];
      }),
    ),
  transformMapEntry: (values, visit) =>
    makeMap(
      transform(values, visit).flatMap((made) => {
        if (!isCelMap(made)) return throwMismatch('transformMapEntry()', 'a map with one entry', made);
        return keysOf(made).map((key) => [key, elementAt(made, key)] as const);
      }),
    ),
};

/**
 * Compiles a macro. Absent if its list is absent. An absent test counts as false, and an element whose value is absent is
 * left out.
 */
export function compileMacro(name: MacroName, parts: MacroParts): BoundExpression {
  if (name === 'bind' || name === 'optMap') return compileBinding(name, parts);
  const { list, slot, index, test, value } = parts;
  const run = MACRO_RUNNERS[name];
  return (c, i) => {
    const holder = list(c, i);
    if (holder === undefined) return undefined;
    const isList = Array.isArray(holder);
    const holds = (element: unknown, position: number): boolean => {
      spend(1);
      if (index === undefined) slot.value = asRead(element);
      else {
        index.value = isList ? position : element;
        slot.value = isList ? asRead(element) : elementAt(holder, element);
      }
      const answer = test === undefined ? true : test(c, i);
      if (typeof answer === 'boolean') return answer;
      return answer === undefined ? false : throwMismatch(`the test of ${name}()`, 'true or false', answer);
    };
    try {
      return run(elements(name, holder), { holds, valueNow: () => value?.(c, i) }, isList);
    } finally {
      slot.value = undefined; // release the last element
      if (index) index.value = undefined;
    }
  };
}

/** Compiles `cel.bind` and `optMap`: a value with a name. `optMap` is absent if its value is absent. */
function compileBinding(name: 'bind' | 'optMap', { list, slot, value }: MacroParts): BoundExpression {
  if (!value) throw new ExpressionEvaluationError(`${name}() needs a value`);
  return (c, i) => {
    const bound = list(c, i);
    if (bound === undefined && name === 'optMap') return undefined;
    spend(1);
    slot.value = bound;
    try {
      return value(c, i);
    } finally {
      slot.value = undefined;
    }
  };
}
