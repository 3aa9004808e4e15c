import { describeValue } from './describe-value.js';
import { didYouMean } from './did-you-mean.js';
import type { Problem } from './problem.js';
import { toAssizeError } from './to-assize-error.js';

/** What an option must be, where that is looked at. */
export interface OptionType {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

/** The options of a call, by name. */
export type OptionTypes = Readonly<Record<string, OptionType>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An option that is looked at where it is used. */
export const ANYTHING: OptionType = { expected: 'anything', accepts: () => true };

export const BOOLEAN: OptionType = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };

export const FUNCTION: OptionType = { expected: 'a function', accepts: (value) => typeof value === 'function' };

export const LIST: OptionType = { expected: 'a list', accepts: Array.isArray };

export const STRING: OptionType = { expected: 'a string', accepts: (value) => typeof value === 'string' };

/** What it answers to is asked, and not its class: another realm has another one. */
export const ABORT_SIGNAL: OptionType = {
  expected: 'an AbortSignal',
  accepts: (value) => isObject(value) && 'throwIfAborted' in value && 'addEventListener' in value,
};

/** A whole number. */
export const integerFrom = (least: number): OptionType => ({
  expected: `a whole number of at least ${least}`,
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= least,
});

export const oneOf = (choices: readonly string[]): OptionType => ({
  expected: `one of ${choices.join(', ')}`,
  accepts: (value) => choices.some((choice) => choice === value),
});

/**
 * Holds the options of a call to those that there are: one with a typo would be ignored in silence. What is undefined is
 * not said.
 *
 * @param call the name of the method or the function
 * @throws AssizeError with everything that is wrong with them (ASZ533)
 */
export function checkOptions(call: string, options: unknown, kinds: OptionTypes): void {
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
      else if (value !== undefined && !kind.accepts(value)) {
        wrong(`the option ${name} of ${call} is ${describeValue(value)}; expected ${kind.expected}`);
      }
    }
  }
  if (problems.length > 0) throw toAssizeError(problems);
}
