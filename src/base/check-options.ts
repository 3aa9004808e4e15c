import { describeValue, isObject, type Problem } from './problem.js';
import { didYouMean } from './did-you-mean.js';
import { toAssizeError } from './format.js';

/** The type of an option, for a check at run time. */
export interface OptionType {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

/** The types of the options of a function, by name. */
export type OptionTypes = Readonly<Record<string, OptionType>>;

/** The type of an option that the called function checks itself. */
export const ANYTHING: OptionType = { expected: 'anything', accepts: () => true };

export const BOOLEAN: OptionType = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };

export const FUNCTION: OptionType = { expected: 'a function', accepts: (value) => typeof value === 'function' };

export const LIST: OptionType = { expected: 'a list', accepts: Array.isArray };

export const STRINGS: OptionType = {
  expected: 'a list of strings',
  accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

export const STRING: OptionType = { expected: 'a string', accepts: (value) => typeof value === 'string' };

/** Checks for methods instead of the class, because each realm has its own class. */
export const ABORT_SIGNAL: OptionType = {
  expected: 'an AbortSignal',
  accepts: (value) => isObject(value) && 'throwIfAborted' in value && 'addEventListener' in value,
};

/** An integer with a lower bound. */
export const integerFrom = (min: number): OptionType => ({
  expected: `a whole number of at least ${min}`,
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= min,
});

/** A TCP port. 0 is any free port. */
export const PORT: OptionType = {
  expected: 'a whole number from 0 to 65535',
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 16,
};

export const oneOf = (choices: readonly string[]): OptionType => ({
  expected: `one of ${choices.join(', ')}`,
  accepts: (value) => choices.some((choice) => choice === value),
});

/** The new names of renamed options. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['abort', 'signal'],
  ['onProgress', 'progress'],
  ['open', 'allowAnonymous'],
  ['learn', 'updateMemory'],
  ['min_score', 'minScore'],
]);

function unknownOptionHint(name: string, types: OptionTypes): string {
  const renamed = RENAMED.get(name);
  if (renamed !== undefined && Object.hasOwn(types, renamed)) return `it is called ${renamed} now`;
  const names = Object.keys(types);
  return didYouMean(name, names, `there are: ${names.join(', ')}`);
}

/**
 * Checks the options of a call, so that an option with a typo is not silently ignored. An `undefined` option counts as
 * absent.
 *
 * @param call the name of the method or function, for messages
 * @throws AssizeError (ASZ533) with all problems of the options
 */
export function checkOptions(call: string, options: unknown, types: OptionTypes): void {
  const problems: Problem[] = [];
  const report = (message: string, hint?: string): void => void problems.push({ code: 'ASZ533', message, hint });
  if (ABORT_SIGNAL.accepts(options)) report(`the options of ${call} are an AbortSignal`, 'pass { signal }');
  else if (!isObject(options)) report(`the options of ${call} are ${describeValue(options)}; expected an object`);
  else {
    for (const name in options) {
      const value = options[name];
      const type = Object.hasOwn(types, name) ? types[name] : undefined;
      if (!type) report(`${call} has no option ${name}`, unknownOptionHint(name, types));
      else if (value !== undefined && !type.accepts(value)) {
        report(`the option ${name} of ${call} is ${describeValue(value)}; expected ${type.expected}`);
      }
    }
  }
  if (problems.length > 0) throw toAssizeError(problems);
}
