import type { Problem } from '../contract/index.js';
import { failure } from '../document/failure.js';
import { describeValue } from '../expression/describe.js';
import { didYouMean } from '../expression/suggest.js';

/** What an option must be, where that is looked at. */
export interface Kind {
  readonly expected: string;
  is(value: unknown): boolean;
}

/** The options of a call, by name. */
export type Kinds = Readonly<Record<string, Kind>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An option that is looked at where it is used. */
export const ANY: Kind = { expected: 'anything', is: () => true };

export const TRUE_OR_FALSE: Kind = { expected: 'true or false', is: (value) => typeof value === 'boolean' };

export const A_FUNCTION: Kind = { expected: 'a function', is: (value) => typeof value === 'function' };

export const A_LIST: Kind = { expected: 'a list', is: Array.isArray };

export const A_STRING: Kind = { expected: 'a string', is: (value) => typeof value === 'string' };

/** What it answers to is asked, and not its class: another realm has another one. */
export const A_SIGNAL: Kind = {
  expected: 'an AbortSignal',
  is: (value) => isObject(value) && 'throwIfAborted' in value && 'addEventListener' in value,
};

/** A whole number. */
export const atLeast = (least: number): Kind => ({
  expected: `a whole number of at least ${least}`,
  is: (value) => Number.isSafeInteger(value) && Number(value) >= least,
});

export const oneOf = (choices: readonly string[]): Kind => ({
  expected: `one of ${choices.join(', ')}`,
  is: (value) => choices.some((choice) => choice === value),
});

/**
 * Holds the options of a call to those that there are: one with a typo would be ignored in silence. What is undefined is
 * not said.
 *
 * @param call the name of the method or the function
 * @throws AssizeError with everything that is wrong with them (ASZ533)
 */
export function checkOptions(call: string, options: unknown, kinds: Kinds): void {
  const problems: Problem[] = [];
  const wrong = (message: string, hint?: string): void => void problems.push({ code: 'ASZ533', message, hint });
  if (!isObject(options)) wrong(`the options of ${call} are ${describeValue(options)}; expected an object`);
  else {
    // In a list of names there is one for each option, and nearly always there is none.
    for (const name in options) {
      const value: unknown = Reflect.get(options, name);
      const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
      const names = Object.keys(kinds);
      if (!kind) wrong(`${call} has no option ${name}`, didYouMean(name, names, `there are: ${names.join(', ')}`));
      else if (value !== undefined && !kind.is(value)) {
        wrong(`the option ${name} of ${call} is ${describeValue(value)}; expected ${kind.expected}`);
      }
    }
  }
  if (problems.length > 0) throw failure(problems);
}
