import { describeValue, isObject, type Problem } from './problem.js';
import { didYouMean } from './did-you-mean.js';
import { toAssizeError } from './format.js';

/** The type of an option. `anything` is checked by the called function itself; port 0 is any free port. */
export type OptionType =
  | keyof typeof SIMPLE_TYPES
  | { readonly integerFrom: number }
  | { readonly oneOf: readonly string[] }
  | OptionCheck;

/** A check of its own. */
export interface OptionCheck {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

/** The types of the options of a function, by name. */
export type OptionTypes = Readonly<Record<string, OptionType>>;

const SIMPLE_TYPES = {
  anything: { expected: 'anything', accepts: () => true },
  boolean: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  function: { expected: 'a function', accepts: (value) => typeof value === 'function' },
  list: { expected: 'a list', accepts: Array.isArray },
  string: { expected: 'a string', accepts: (value) => typeof value === 'string' },
  strings: {
    expected: 'a list of strings',
    accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  },
  port: {
    expected: 'a whole number from 0 to 65535',
    accepts: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 16,
  },
  signal: {
    expected: 'an AbortSignal',
    // Each realm has its own class, so the methods are checked.
    accepts: (value) => isObject(value) && 'throwIfAborted' in value && 'addEventListener' in value,
  },
} satisfies Readonly<Record<string, OptionCheck>>;

function checkOf(type: OptionType): OptionCheck {
  if (typeof type === 'string') return SIMPLE_TYPES[type];
  if ('accepts' in type) return type;
  if ('oneOf' in type) {
    return { expected: `one of ${type.oneOf.join(', ')}`, accepts: (value) => type.oneOf.some((one) => one === value) };
  }
  return {
    expected: `a whole number of at least ${type.integerFrom}`,
    accepts: (value) => Number.isSafeInteger(value) && Number(value) >= type.integerFrom,
  };
}

/** Whether a value is of the type. */
export const isOfType = (value: unknown, type: OptionType): boolean => checkOf(type).accepts(value);

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
  if (SIMPLE_TYPES.signal.accepts(options)) report(`the options of ${call} are an AbortSignal`, 'pass { signal }');
  else if (!isObject(options)) report(`the options of ${call} are ${describeValue(options)}; expected an object`);
  else {
    for (const name in options) {
      const value = options[name];
      const type = Object.hasOwn(types, name) ? types[name] : undefined;
      if (!type) {
        report(`${call} has no option ${name}`, unknownOptionHint(name, types));
        continue;
      }
      const check = checkOf(type);
      if (value === undefined || check.accepts(value)) continue;
      report(`the option ${name} of ${call} is ${describeValue(value)}; expected ${check.expected}`);
    }
  }
  if (problems.length > 0) throw toAssizeError(problems);
}
