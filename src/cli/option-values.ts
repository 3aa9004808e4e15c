import { CommanderError } from 'commander';
import { toMillis } from '../expression/time.js';
import { EXIT_CODES } from './terminal/io.js';

/**
 * The error of a value that is none. Not commander's own InvalidArgumentError: that is wrapped into a sentence of
 * commander's before it can be caught.
 *
 * @param name the option or the argument
 */
export const invalidValue = (name: string, message: string): CommanderError =>
  new CommanderError(EXIT_CODES.usage, 'assize.invalidValue', `${name}: ${message}`);

/** Parses the value of an option with a fixed set. */
export const parseChoice =
  (name: string, values: readonly string[]) =>
  (text: string): string => {
    if (values.includes(text)) return text;
    const expected = values.join(', ').replace(/, ([^,]*)$/, ' or $1');
    throw invalidValue(name, `expected ${expected}, found ${JSON.stringify(text)}`);
  };

/** Collects the values of an option that may be repeated. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Parses the whole number of an option. */
export const parseInteger =
  (name: string, least: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
    throw invalidValue(name, `expected a whole number of at least ${least}, found ${JSON.stringify(text)}`);
  };

/** Parses the number of an option. */
export const parseNumberOption =
  (name: string) =>
  (text: string): number => {
    const number = parseNumber(text);
    if (number !== undefined) return number;
    throw invalidValue(name, `expected a number, found ${JSON.stringify(text)}`);
  };

/** The number that a text is, as JavaScript writes one; undefined where it is none. */
function parseNumber(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Adds a weight to those before it; of two for one scorer, the last holds. */
export function parseWeight(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [id = '', value = '', ...rest] = text.split('=');
  const weight = parseNumber(value);
  if (id !== '' && weight !== undefined && rest.length === 0) return { ...before, [id]: weight };
  throw invalidValue('--weight', `expected the id of a scorer, = and a number, found ${JSON.stringify(text)}`);
}

/** Parses a budget, in the unit of the profile. */
export function parseBudget(text: string): number {
  const budget = parseNumber(text);
  if (budget !== undefined && budget >= 0) return budget;
  throw invalidValue('--budget', `expected a number of at least 0, found ${JSON.stringify(text)}`);
}

/** Checks a time, and returns it as it was written; digits are milliseconds, but for four of them, which are a year. */
export function parseTime(text: string): number | string {
  const time = /^-?\d+$/.test(text) && text.length !== 4 ? Number(text) : text;
  try {
    toMillis(time);
    return time;
  } catch (error) {
    throw invalidValue('--now', error instanceof Error ? error.message : String(error));
  }
}
