/** Splits a text into words at whitespace: punctuation stays with its word. */
export const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** Whether a word has more than three characters: shorter ones are too common to match a topic. */
export const isContentWord = (word: string): boolean => Array.from(word).length > 3;

/** The phrases that a lower-case text contains, each once. */
export const phrasesIn = (text: string, phrases: readonly string[]): readonly string[] =>
  phrases.filter((phrase) => text.includes(phrase));

/** Whether a lower-case text contains one of the phrases. */
export const containsAny = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.includes(phrase));

/** Phrases by which an answer shows that the respondent has nothing more to say. */
export const EXHAUSTION_PHRASES: readonly string[] = [
  'nothing',
  "don't know",
  'do not know',
  "can't think",
  'cannot think',
  "that's it",
  'that is it',
  "that's all",
  'that is all',
  "no, that's",
];
