import { isUnspaced, wordRuns } from '../../src/sdk.js';

/** `parseJSONFile2` → `parse JSON File2`: where a small letter or digit is followed by a capital, and before a capital that starts a word (that of `PDFs` doesn't). */
const SEAMS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu;

/**
 * The words of a text, in order, in small letters: runs of letters and digits, names in camelCase or snake_case taken
 * apart. Of scripts without spaces between words the pairs of neighbouring characters, as Lucene's CJKAnalyzer has
 * them: a dictionary (`Intl.Segmenter`) takes ten times as long, and cuts otherwise in the next version of the runtime.
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const run of wordRuns(text.replace(SEAMS, ' '))) {
    if (!isUnspaced(run)) words.push(run);
    else for (const pair of pairsOf(run)) words.push(pair);
  }
  return words;
}

/** How much of a text's length a word is: neighbouring pairs share their characters, so that each is half a word. */
export const lengthOf = (word: string): number => (isUnspaced(word) ? 0.5 : 1);

/** `user's` → `user`; the `s` of `what's`, too, is no word to look for. */
const POSSESSIVE = /(?<=\p{L})['’＇]s(?![\p{L}\p{N}])/giu;

/** The words of an English text without the endings of plurals and possessives. */
export const englishWordsOf = (text: string): readonly string[] =>
  wordsOf(text.replace(POSSESSIVE, '')).map(singularOf);

/**
 * An English word without the ending of its plural, by Harman's S-stemmer (1991): `queries` and `query`, `tools` and
 * `tool` are one. It leaves `class`, `status` and short words as they are.
 */
function singularOf(word: string): string {
  if (word.length <= 3 || !word.endsWith('s')) return word;
  if (/(?<![ea])ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?<![aeo])es$/.test(word)) return word.slice(0, -1);
  return /[us]s$/.test(word) ? word : word.slice(0, -1);
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.length === 1 ? characters : characters.slice(1).map((second, i) => `${characters[i]}${second}`);
}
