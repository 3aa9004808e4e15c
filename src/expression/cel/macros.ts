import type { BoundExpression } from '../scope.js';
import { asRead } from '../path.js';
import type { MacroName } from './checked-node.js';
import { spend } from './step-budget.js';
import { isCelMap, throwMismatch } from './operators.js';

/** Holds the current element of a macro. */
export interface LocalSlot {
  value: unknown;
}

export interface MacroParts {
  readonly list: BoundExpression;
  readonly slot: LocalSlot;
  readonly test: BoundExpression | undefined;
  readonly value: BoundExpression | undefined;
}

/** The elements of a list, the keys of a map. */
function elements(name: MacroName, holder: unknown): readonly unknown[] {
  if (Array.isArray(holder)) return holder;
  if (!isCelMap(holder)) return throwMismatch(`${name}()`, 'a list or a map', holder);
  const keys = Object.keys(holder);
  spend(keys.length);
  return keys;
}

type MacroRunner = (values: readonly unknown[], holds: (value: unknown) => boolean, valueOf: () => unknown) => unknown;

const MACRO_RUNNERS: Readonly<Record<MacroName, MacroRunner>> = {
  all: (values, holds) => values.every((value) => holds(value)),
  exists: (values, holds) => values.some((value) => holds(value)),
  exists_one: (values, holds) => values.filter((value) => holds(value)).length === 1,
  filter: (values, holds) => values.filter((value) => holds(value)),
  map: (values, holds, valueOf) =>
    values.map((value) => (holds(value) ? valueOf() : undefined)).filter((value) => value !== undefined),
};

/** Compiles a macro. Absent if its list is absent. An absent test counts as false; `map` skips absent values. */
export const compileMacro = (name: MacroName, { list, slot, test, value }: MacroParts): BoundExpression => {
  const run = MACRO_RUNNERS[name];
  return (c, i) => {
    const holder = list(c, i);
    if (holder === undefined) return undefined;
    const holds = (element: unknown): boolean => {
      spend(1);
      slot.value = asRead(element);
      const answer = test === undefined ? true : test(c, i);
      if (typeof answer === 'boolean') return answer;
      return answer === undefined ? false : throwMismatch(`the test of ${name}()`, 'true or false', answer);
    };
    try {
      return run(elements(name, holder), holds, () => value?.(c, i));
    } finally {
      slot.value = undefined; // release the last element
    }
  };
};
