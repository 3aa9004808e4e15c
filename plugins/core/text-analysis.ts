import { isUnspaced, wordRuns } from '../../src/sdk.js';

/** `parseJSONFile2` → `parse JSON File2`: where a small letter or digit is followed by a capital, and before a capital that starts a word (that of `PDFs` doesn't). */
const CASE_BOUNDARIES = /\p{Lu}(?:(?<=[\p{Ll}\p{N}]\p{Lu})|(?<=\p{Lu}\p{Lu})(?=\p{Ll}{2}))/gu;

/** What joins the words of a name: `get_stock_price`, `e-mail`. */
const WORD_DELIMITERS = /[_\-‐](?<=[\p{L}\p{M}\p{N}].)(?=[\p{L}\p{N}])/gu;

const DIGITS = /^\p{N}+$/u;

/** A name of several words: `GitHub`, `git_hub` and `git-hub` are the words `git` and `hub`, and whole `github`. */
export interface CompoundTerm {
  readonly words: readonly string[];
  readonly whole: string;
}

/** What a text can be searched for: a word, or a name. */
export type Term = string | CompoundTerm;

/**
 * The words of a text, in order, in small letters: runs of letters and digits, and names in camelCase, snake_case or
 * kebab-case taken apart, but kept whole as well, as by Lucene's WordDelimiterGraphFilter with `catenateAll`. Numbers are no
 * names: 3-5 is not 35. Of scripts without spaces between words the pairs of neighbouring characters, as Lucene's
 * CJKAnalyzer has them: a dictionary (`Intl.Segmenter`) takes ten times as long, and cuts otherwise in the next version of
 * the runtime.
 */
export function analyze(text: string): readonly Term[] {
  const [apart, together] = [text.replace(CASE_BOUNDARIES, ' $&'), text.replace(WORD_DELIMITERS, '')];
  const runs = wordRuns(apart);
  const wholes = apart === together ? runs : wordRuns(together);
  const terms: Term[] = [];
  let to = 0;
  for (let from = 0, next = 0; from < runs.length; from = to, next++) {
    const whole = wholes[next] ?? '';
    let length = 0;
    do length += runs[to++]!.length;
    while (length < whole.length && to < runs.length);
    if (to - from > 1 && !DIGITS.test(whole)) terms.push({ words: runs.slice(from, to), whole });
    else for (let i = from; i < to; i++) pushWord(terms, runs[i]!);
  }
  return terms;
}

function pushWord(terms: Term[], run: string): void {
  if (isUnspaced(run)) terms.push(...bigrams(run));
  else terms.push(run);
}

/** How much of a text's length a word is: neighbouring pairs share their characters, so that each is half a word. */
export const wordLength = (word: string): number => (isUnspaced(word) ? 0.5 : 1);

/** `user's` → `user`; the `s` of `what's`, too, is no word to look for. */
const POSSESSIVE = /['’＇]s(?<=\p{L}..)(?![\p{L}\p{N}])/giu;

/** The terms of an English text without the endings of plurals and possessives. */
export const analyzeEnglish = (text: string): readonly Term[] =>
  analyze(text.replace(POSSESSIVE, '')).map((term) =>
    typeof term === 'string' ? stemPlural(term) : { words: term.words.map(stemPlural), whole: stemPlural(term.whole) },
  );

/**
 * An English word without the ending of its plural, by Harman's S-stemmer (1991): `queries` and `query`, `tools` and
 * `tool` are one. It leaves `class`, `status` and short words as they are.
 */
function stemPlural(word: string): string {
  if (word.length <= 3 || !word.endsWith('s')) return word;
  if (/(?<![ea])ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?<![aeo])es$/.test(word)) return word.slice(0, -1);
  return /[us]s$/.test(word) ? word : word.slice(0, -1);
}

function bigrams(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.length === 1 ? characters : characters.slice(1).map((second, i) => `${characters[i]}${second}`);
}
