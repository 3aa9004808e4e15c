import { isUnspaced, wordRuns } from '../../src/sdk.js';

/** `parseJSONFile2` → `parse JSON File2`: where a small letter or digit is followed by a capital, and before a capital that starts a word. */
const SEAMS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/**
 * The words of a text, in order, in small letters: runs of letters and digits, names in camelCase or snake_case taken
 * apart. Of scripts without spaces between words the pairs of neighbouring characters.
 */
export const wordsOf = (text: string): readonly string[] =>
  wordRuns(text.replace(SEAMS, ' ')).flatMap((run) => (isUnspaced(run) ? pairsOf(run) : [run]));

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.length === 1 ? characters : characters.slice(1).map((second, i) => `${characters[i]}${second}`);
}
