import type { JsonData } from '../../save/data-edit.js';
import { formatExact } from '../parts/format.js';
import { inWords } from '../parts/in-words.js';
import { durationWords } from './durations.js';

/** Params that many classes have, as the words before their number. */
const WORDS: Readonly<Record<string, string>> = {
  half_life: 'half as new after',
  min: 'at least',
  max: 'at most',
  limit: 'up to',
  scale: 'on a scale of',
};

/** The words before a param in the sentence of its entry: `half as new after`, `few votes`. */
export const paramWords = (name: string): string => WORDS[name] ?? inWords(name).toLowerCase();

/** A param with its value, in the words of the recipe: `half as new after 90 days`, `few votes is 3`. */
export const paramText = (name: string, value: string): string =>
  `${paramWords(name)}${Object.hasOwn(WORDS, name) ? '' : ' is'} ${value}`;

/** A value of a file in words: `90 days`, `10,000`. Undefined if it is a list or a map. */
export function scalarWords(value: JsonData): string | undefined {
  if (typeof value === 'number') return formatExact(value);
  if (value !== null && typeof value === 'object') return undefined;
  return durationWords(value) ?? String(value ?? '');
}
