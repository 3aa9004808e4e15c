import { inWords } from '../parts/in-words.js';

/** Longer words do not fit into the recipe. */
const LONGEST = 80;

/**
 * The label of an entry: the name that a person typed, or words for it, unless its id says the same. `IMDB Rating is less
 * than 7.5` makes the id `imdb_rating_is_less_than_7_5`, from which the words cannot be read back.
 *
 * @param words undefined if a person chose the id
 */
export function labelKeys(id: string, typed: string, words: string | undefined): { readonly label?: string } {
  if (typed !== '') return typed === id ? {} : { label: typed };
  if (words === undefined || words.length > LONGEST || isSaidBy(id, words)) return {};
  return { label: words };
}

/** Whether an id, as the recipe shows it, says these words. */
export const isSaidBy = (id: string, words: string): boolean => inWords(id) === inWords(words);
