import { lowerBound, type PathReader } from '../../../src/sdk.js';
import { type Term, wordLength } from './text-analysis.js';
import { readJoinedText } from '../similarity/text-or-vector.js';

/** The words of one text. */
export interface TextTerms {
  readonly text: string;
  /** The numbers of its words, ascending, a repeated one each time; names count by their words and as one word. */
  readonly words: Int32Array;
  /** How many words it is long. */
  readonly length: number;
}

/** A dictionary of so many words starts anew: it outlives the candidates, and takes some 100 bytes a word. */
const MAX_WORDS = 500_000;

/**
 * The words of candidates' texts, split once for as long as the candidates are there, whatever is asked about them. A
 * text that has changed since is split again: it is compared each time.
 */
export class TermIndex {
  /** Words by number. */
  #words = new Map<string, number>();
  /** By the path of the text; the terms of candidates that are gone go with them. */
  #terms = new Map<string, WeakMap<object, TextTerms>>();

  /** @param analyze splits a text into terms */
  constructor(
    private readonly analyze: (text: string) => readonly Term[],
    private readonly maxWords = MAX_WORDS,
  ) {}

  /** Starts anew where there are too many words. Numbers that were given before mean nothing then. */
  trim(): void {
    if (this.#words.size <= this.maxWords) return;
    this.#words = new Map();
    this.#terms = new Map();
  }

  /** The number of a word. */
  numberOf(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    // Not a part of the text that it was cut from, which would be held with it.
    const own = ` ${word}`.slice(1);
    const number = this.#words.size;
    this.#words.set(own, number);
    return number;
  }

  /** The terms of a candidate's text; undefined where that is absent. */
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
      length += wordLength(word);
      numbers.push(this.numberOf(word));
    };
    for (const term of this.analyze(text)) {
      if (typeof term === 'string') add(term);
      else {
        for (const word of term.words) add(word);
        numbers.push(this.numberOf(term.whole)); // adds no length: its words did
      }
    }
    return { text, words: Int32Array.from(numbers).sort(), length };
  }
}

/** How often a word occurs in a text. */
export function frequencyIn({ words }: TextTerms, number: number): number {
  const first = lowerBound(words, number);
  let end = first;
  while (words[end] === number) end++;
  return end - first;
}
