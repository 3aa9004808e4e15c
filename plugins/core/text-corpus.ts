import {
  compileDifference,
  type FindDifference,
  isUnspaced,
  lowerBound,
  type PathReader,
  valueOrError,
} from '../../src/unit-sdk.js';
import { readJoinedText } from './embeddings.js';
import type { Term } from './text-analysis.js';

/** A text field of a candidate, and the weight of each word in it. */
export interface WeightedField {
  readonly read: PathReader;
  readonly weight: number;
}

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
  /** By the first candidate, by the fields: the last corpus. */
  #corpora = new WeakMap<object, Map<string, TextCorpus>>();
  /** By the number of a word: room for `TextCorpus` to count. All zeros between two uses. */
  #room = new Float64Array(0);

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
    this.#corpora = new WeakMap();
    this.#room = new Float64Array(0);
  }

  /** The corpus of some candidates: the last one if the candidates and their texts are the same. */
  corpusOf(candidates: readonly unknown[], fields: readonly WeightedField[]): TextCorpus {
    const [first] = candidates;
    if (typeof first !== 'object' || first === null) return new TextCorpus(candidates, fields, this);
    let corpora = this.#corpora.get(first);
    if (corpora === undefined) this.#corpora.set(first, (corpora = new Map()));
    const key = JSON.stringify(fields.map(({ read, weight }) => [read.source, weight]));
    const known = corpora.get(key);
    if (known?.isOf(candidates, fields)) return known;
    const corpus = new TextCorpus(candidates, fields, this);
    corpora.set(key, corpus);
    return corpus;
  }

  /** Room to count words, by their number. All zeros before and after each use. */
  room(): Float64Array {
    if (this.#room.length < this.#words.size) this.#room = new Float64Array(2 * this.#words.size);
    return this.#room;
  }

  /** The number of a word; -1 if no text had it. */
  find(word: string): number {
    return this.#words.get(word) ?? -1;
  }

  /** The number of a word, a new one if no text had it. */
  #numberOf(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    // A copy: a slice would keep the whole text in memory.
    const own = ` ${word}`.slice(1);
    const number = this.#words.size;
    this.#words.set(own, number);
    return number;
  }

  /** The terms of a candidate's text. */
  termsOf(candidate: unknown, field: PathReader, text: string): TextTerms {
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
      numbers.push(this.#numberOf(word));
    };
    for (const term of this.split(text)) {
      if (typeof term === 'string') add(term);
      else {
        for (const word of term.words) add(word);
        numbers.push(this.#numberOf(term.whole)); // adds no length: its words did
      }
    }
    return { text, words: Int32Array.from(numbers).sort(), length };
  }
}

/** The candidates that contain a word, ascending, and its weighted frequency in each. */
export interface Postings {
  readonly rows: Int32Array;
  readonly counts: Float64Array;
}

/** The text of one field. Most fields are one text, which needs no joining. */
function readText({ read }: WeightedField, candidate: unknown): string | undefined {
  const value = read(candidate);
  return value === undefined || typeof value === 'string' ? value : readJoinedText([read], candidate);
}

/** By the fields: the comparison of their values. Compiled once for a profile, and when a list of candidates occurs again. */
const differences = new WeakMap<readonly WeightedField[], FindDifference>();

function differenceOf(fields: readonly WeightedField[]): FindDifference {
  let find = differences.get(fields);
  if (find === undefined) differences.set(fields, (find = compileDifference(fields.map(({ read }) => read))));
  return find;
}

/**
 * An inverted index over the texts of one list of candidates. O(words of all texts) to build; with it, a query costs the
 * occurrences of its words, and one comparison of each text with the text that was indexed.
 */
export class TextCorpus {
  /** By row: the weighted number of words; NaN if all texts are absent or one cannot be read. */
  readonly lengths: Float64Array;
  /** By row: why its texts cannot be read. */
  readonly errors = new Map<number, Error>();
  /** The number of candidates with a text. */
  readonly size: number;
  /** Their mean length. */
  readonly average: number;
  /** By field, by row. */
  readonly #texts: readonly (string | undefined)[][];
  /** The numbers of the words, ascending, and where the postings of each start. */
  readonly #words: Int32Array;
  readonly #starts: Int32Array;
  readonly #postings: Postings;
  /** The last ones: few profiles differ in them alone. */
  #penalties: { readonly k1: number; readonly b: number; readonly values: Float64Array } | undefined;

  constructor(candidates: readonly unknown[], fields: readonly WeightedField[], index: TermIndex) {
    this.#texts = fields.map(() => []);
    const terms = candidates.map((candidate, row) => this.#read(candidate, row, fields, index));
    this.lengths = Float64Array.from(terms, (ofFields) =>
      ofFields.length === 0 ? Number.NaN : ofFields.reduce((sum, { weight, length }) => sum + weight * length, 0),
    );
    const lengths = this.lengths.filter((length) => !Number.isNaN(length)).sort(); // sorted: rounding must not depend on the order of the batch
    this.size = lengths.length;
    this.average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;

    const room = index.room();
    const words: number[] = [];
    const [pairWords, pairRows, pairCounts]: [number[], number[], number[]] = [[], [], []];
    for (const [row, ofFields] of terms.entries()) {
      const first = pairWords.length;
      for (const { weight, words: numbers } of ofFields) {
        for (let from = 0, to = 0; from < numbers.length; from = to) {
          const number = numbers[from]!;
          while (numbers[to] === number) to++;
          if (room[number] === 0) pairWords.push(number);
          room[number]! += weight * (to - from);
        }
      }
      for (let pair = first; pair < pairWords.length; pair++) {
        pairRows.push(row);
        pairCounts.push(room[pairWords[pair]!]!);
        room[pairWords[pair]!] = 0;
      }
    }
    for (const number of pairWords) if (room[number]!++ === 0) words.push(number);
    this.#words = Int32Array.from(words).sort();
    this.#starts = new Int32Array(words.length + 1);
    for (const [k, number] of this.#words.entries()) {
      this.#starts[k + 1] = this.#starts[k]! + room[number]!;
      room[number] = this.#starts[k]!;
    }
    this.#postings = { rows: new Int32Array(pairRows.length), counts: new Float64Array(pairRows.length) };
    for (const [pair, number] of pairWords.entries()) {
      const place = room[number]!++;
      this.#postings.rows[place] = pairRows[pair]!;
      this.#postings.counts[place] = pairCounts[pair]!;
    }
    for (const number of words) room[number] = 0;
  }

  /** Whether these candidates have the texts of this corpus, row by row. */
  isOf(candidates: readonly unknown[], fields: readonly WeightedField[]): boolean {
    if (candidates.length !== this.lengths.length || this.errors.size > 0) return false;
    const find = differenceOf(fields);
    const hasTexts = (row: number): boolean =>
      fields.every((field, k) => readText(field, candidates[row]) === this.#texts[k]![row]);
    try {
      let row = find(candidates, this.#texts, 0);
      // A list of texts differs from the text that joins it.
      while (row < candidates.length && hasTexts(row)) row = find(candidates, this.#texts, row + 1);
      return row === candidates.length;
    } catch {
      return false; // a text that cannot be read now: the new corpus states why
    }
  }

  /** By row: what BM25 adds to the frequency of a word for the length of the text. */
  penalties(k1: number, b: number): Float64Array {
    if (this.#penalties?.k1 !== k1 || this.#penalties.b !== b) {
      const values = this.lengths.map((length) => k1 * (1 - b + (b * length) / this.average));
      this.#penalties = { k1, b, values };
    }
    return this.#penalties.values;
  }

  /** The candidates that contain a word, by its number. */
  postings(word: number): Postings {
    const k = lowerBound(this.#words, word);
    const [from, to] = this.#words[k] === word ? [this.#starts[k], this.#starts[k + 1]] : [0, 0];
    const { rows, counts } = this.#postings;
    return { rows: rows.subarray(from, to), counts: counts.subarray(from, to) };
  }

  /** The terms of the texts that a candidate has, with the weights of their fields. Empty if one cannot be read. */
  #read(
    candidate: unknown,
    row: number,
    fields: readonly WeightedField[],
    index: TermIndex,
  ): readonly (TextTerms & { readonly weight: number })[] {
    const texts = valueOrError(() => fields.map((field) => readText(field, candidate)));
    if (texts instanceof Error) {
      this.errors.set(row, texts);
      return [];
    }
    for (const [k, text] of texts.entries()) this.#texts[k]!.push(text);
    return texts.flatMap((text, k) => {
      const { read, weight } = fields[k]!;
      return text === undefined ? [] : [{ ...index.termsOf(candidate, read, text), weight }];
    });
  }
}

/** The frequency of a word in one row. */
export function frequencyIn({ rows, counts }: Postings, row: number): number {
  const k = lowerBound(rows, row);
  return rows[k] === row ? counts[k]! : 0;
}
