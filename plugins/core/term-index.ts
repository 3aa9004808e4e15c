import { isUnspaced, lowerBound, type PathReader, wordRuns } from '../../src/unit-sdk.js';
import { readJoinedText } from './embeddings.js';

/** The words of one text. */
interface TextTerms {
  readonly text: string;
  /** The numbers of its words, ascending, a repeated one each time; names count by their words and as one word. */
  readonly words: Int32Array;
  /** The number of its words. */
  readonly length: number;
}

/** The size at which the dictionary is cleared. It outlives the candidates and takes about 100 bytes per word. */
const MAX_WORDS = 500_000;

/**
 * The words of candidates' texts. A text is split once for as long as its candidate exists, whatever the query. It is
 * compared each time and split again if it has changed.
 */
export class TermIndex {
  /** Words by number. */
  #words = new Map<string, number>();
  /** By the path of the text; the terms of candidates that are gone go with them. */
  #terms = new Map<string, WeakMap<object, TextTerms>>();

  /** @param split splits a text into terms */
  constructor(
    private readonly split: (text: string) => readonly Term[],
    private readonly maxWords = MAX_WORDS,
  ) {}

  /** Clears the index if it has too many words. Numbers from before are then invalid. */
  trim(): void {
    if (this.#words.size <= this.maxWords) return;
    this.#words = new Map();
    this.#terms = new Map();
  }

  /** The number of a word. */
  numberOf(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    // A copy: a slice would keep the whole text in memory.
    const own = ` ${word}`.slice(1);
    const number = this.#words.size;
    this.#words.set(own, number);
    return number;
  }

  /** The terms of a candidate's text; undefined if it is absent. */
  termsOf(candidate: unknown, field: PathReader): TextTerms | undefined {
    const text = readJoinedText([field], candidate);
    if (text === undefined) return undefined;
    if (typeof candidate !== 'object' || candidate === null) return this.#split(text);
    let ofField = this.#terms.get(field.source);
    if (ofField === undefined) this.#terms.set(field.source, (ofField = new WeakMap()));
    const known = ofField.get(candidate);
    if (known?.text === text) return known;
    const terms = this.#split(text);
    ofField.set(candidate, terms);
    return terms;
  }

  #split(text: string): TextTerms {
    const numbers: number[] = [];
    let length = 0;
    const add = (word: string): void => {
      length += isUnspaced(word) ? 0.5 : 1; // neighbouring pairs share their characters, so each pair counts half
      numbers.push(this.numberOf(word));
    };
    for (const term of this.split(text)) {
      if (typeof term === 'string') add(term);
      else {
        for (const word of term.words) add(word);
        numbers.push(this.numberOf(term.whole)); // adds no length: its words did
      }
    }
    return { text, words: Int32Array.from(numbers).sort(), length };
  }
}

/** The number of occurrences of a word in a text. */
export function frequencyIn({ words }: TextTerms, number: number): number {
  const first = lowerBound(words, number);
  let end = first;
  while (words[end] === number) end++;
  return end - first;
}

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
