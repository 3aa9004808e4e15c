/** The words of a text, as whitespace separates them: punctuation belongs to its word. */
export const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** Words of up to three characters are too common to find anything by. */
export const isContentWord = (word: string): boolean => Array.from(word).length > 3;

/** The phrases that a lower-cased text contains, each once. */
export const phrasesIn = (text: string, phrases: readonly string[]): readonly string[] =>
  phrases.filter((phrase) => text.includes(phrase));

export const containsAny = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.includes(phrase));
