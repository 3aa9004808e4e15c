import { isUnspaced, wordRuns } from '../../src/unit-sdk.js';

/**
 * Word boundaries in camelCase (`parseJSONFile2` → `parse JSON File2`): before a capital letter after a small letter or
 * digit, and before the last of several capitals that starts a word (not in `PDFs`).
 */
const CASE_BOUNDARIES = /\p{Lu}(?:(?<=[\p{Ll}\p{N}]\p{Lu})|(?<=\p{Lu}\p{Lu})(?=\p{Ll}{2}))/gu;

/** The characters that join the words of a name: `get_stock_price`, `e-mail`. */
const WORD_DELIMITERS = /[_\-‐](?<=[\p{L}\p{M}\p{N}].)(?=[\p{L}\p{N}])/gu;

const DIGITS = /^\p{N}+$/u;

/** A name of several words. `GitHub`, `git_hub` and `git-hub` become `git` and `hub`, and `github` as a whole. */
export interface CompoundTerm {
  readonly words: readonly string[];
  readonly whole: string;
}

/** A search term in a text: a word or a name. */
export type Term = string | CompoundTerm;

/**
 * Splits a text into lower-case terms, in order: runs of letters and digits. Names in camelCase, snake_case or
 * kebab-case are both split and kept whole, as in Lucene's WordDelimiterGraphFilter with `catenateAll`. Numbers are not
 * names: 3-5 is not 35.
 *
 * Scripts without spaces between words yield pairs of neighbouring characters, as in Lucene's CJKAnalyzer. A dictionary
 * (`Intl.Segmenter`) would be ten times slower, and its results vary between versions of the runtime.
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

/** The ending of a possessive (`user's` → `user`), and the `s` of `what's`, which is not a search term. */
const POSSESSIVE = /['’＇]s(?<=\p{L}..)(?![\p{L}\p{N}])/giu;

export const analyzeEnglish = (text: string): readonly Term[] =>
  analyze(text.replace(POSSESSIVE, '')).map((term) =>
    typeof term === 'string' ? stemPlural(term) : { words: term.words.map(stemPlural), whole: stemPlural(term.whole) },
  );

/**
 * Removes the ending of an English plural by Harman's S-stemmer (1991), so that `queries` and `query`, `tools` and
 * `tool` are equal. `class`, `status` and words of up to three letters are not changed.
 */
function stemPlural(word: string): string {
  if (word.length <= 3 || !word.endsWith('s')) return word;
  if (/(?<![ea])ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?<![aeo])es$/.test(word)) return word.slice(0, -1);
  return /[us]s$/.test(word) ? word : word.slice(0, -1);
}

/** Pairs of neighbouring characters; a single character stays as it is. */
function bigrams(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.length === 1 ? characters : characters.slice(1).map((second, i) => `${characters[i]}${second}`);
}
