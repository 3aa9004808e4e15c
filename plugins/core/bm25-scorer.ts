import {
  isUnspaced,
  lowerBound,
  type PathReader,
  wordRuns,
  abstain,
  type BatchScorer,
  contextPath,
  defineScorer,
  type ParamsOf,
  path,
  paths,
  type Run,
  type Score,
  valueOrError,
  z,
} from '../../src/unit-sdk.js';
import { readJoinedText, readQueryText } from './embeddings.js';
import { pathRecord } from './params.js';

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

/** A text field of a candidate, and the weight of each word in it. */
interface WeightedField {
  readonly read: PathReader;
  readonly weight: number;
}

const weightsByPath = pathRecord(
  z
    .record(z.string(), z.number().positive())
    .refine((fields) => Object.keys(fields).length > 0, 'expected at least one path'),
  path(),
  (read, weight): WeightedField => ({ read, weight }),
);

const equalWeights = paths().transform((readers): readonly WeightedField[] =>
  readers.map((read) => ({ read, weight: 1 })),
);

type Params = ParamsOf<typeof BM25Scorer>;

/**
 * How texts are split, by the value of `plurals`, and the cache of split texts. All entries and pipelines of a process
 * share it.
 */
const ANALYSES = {
  kept: { analyze, index: new TermIndex(analyze) },
  english: { analyze: analyzeEnglish, index: new TermIndex(analyzeEnglish) },
};

/** The counts of one candidate's text. */
interface TermCounts {
  /** The weighted frequency of each word of the query's vocabulary. */
  readonly counts: Float64Array;
  /** The weighted number of words. */
  readonly length: number;
}

/**
 * Scores how well a candidate's text matches the words of the query, by Okapi BM25 over the candidates of the run: `Σ
 * ln(1 + (N − n + 0.5) / (n + 0.5)) × f × (k1 + 1) / (f + k1 × (1 − b + b × length / average length))`.
 *
 * The sum runs over the words of the query; a repeated word counts each time. N is the number of candidates with a
 * text, n the number of those that contain the word, and f the number of its occurrences in this text (Robertson and
 * Zaragoza 2009, with Lucene's logarithm, which is never negative). With weighted fields, f and the length are weighted
 * sums over the fields. For a name of several words, either the sum of its words or the name as one word counts,
 * whichever is greater (as in Lucene's DisjunctionMaxQuery).
 *
 * The texts of a candidate are split once, as long as the same object has the same texts.
 */
export class BM25Scorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours texts that contain the words of the query; rare words count most (BM25).',
    reads: 'params',
    params: z.strictObject({
      fields: z
        .union([equalWeights, weightsByPath])
        .describe('The text fields: a path, a list of paths, or a map of paths to weights.'),
      query: contextPath('query').describe('The path to the query in the context.'),
      plurals: z
        .enum(['kept', 'english'])
        .default('kept')
        .describe('english: plural and possessive endings are ignored when words are compared.'),
      k1: z.number().nonnegative().default(1.2).describe('How much repeated occurrences of a word add. 0: nothing.'),
      b: z.number().min(0).max(1).default(0.75).describe('How strongly long texts are penalised, from 0 to 1.'),
    }),
    scope: 'set',
    reasons: {
      matched: '{matched} of the query’s {words} words: {found}',
      unmatched: 'none of the query’s {words} words',
      no_query: 'the context has no {query}, or it has no words',
      absent: 'there is no text',
    },
  });

  prepare({ fields, query, plurals, k1, b }: Params, run: Run): Score<unknown> {
    const { analyze: split, index } = ANALYSES[plurals];
    const { terms, vocabulary } = queryTerms(split(readQueryText(query, run.context) ?? ''));
    if (terms.length === 0) return (_candidate, _index, note) => abstain(note, 'no_query', { query: query.source });
    index.trim();
    const numbers = vocabulary.map((word) => index.numberOf(word));
    const read = run.candidates.map((candidate) => valueOrError(() => countTerms(candidate, fields, index, numbers)));
    const texts = read.filter((one): one is TermCounts => one !== undefined && !(one instanceof Error));
    const lengths = Float64Array.from(texts, ({ length }) => length).sort(); // sorted: rounding must not depend on the order of the batch
    const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    const rarity = vocabulary.map((_, k) => {
      const having = texts.filter(({ counts }) => counts[k] !== 0).length;
      return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    });
    const weightIn = ({ counts, length }: TermCounts, k: number): number => {
      const count = counts[k]!;
      return count === 0 ? 0 : (rarity[k]! * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / average));
    };
    const ofWords = ({ words }: QueryTerm, one: TermCounts): number =>
      words.reduce((sum, k) => sum + weightIn(one, k), 0);
    const ofWhole = ({ whole }: QueryTerm, one: TermCounts): number => (whole === undefined ? 0 : weightIn(one, whole));
    return (_candidate, row, note) => {
      const one = read[row];
      if (one instanceof Error) throw one;
      if (one === undefined) return abstain(note, 'absent');
      let score = 0;
      for (const term of terms) score += term.frequency * Math.max(ofWords(term, one), ofWhole(term, one));
      if (note !== undefined) {
        const queried = new Set(terms.flatMap((term) => term.words)).size;
        const matched = new Set<number>();
        const found = new Set<number>();
        for (const term of terms) {
          const whole = ofWhole(term, one) > ofWords(term, one) ? term.whole : undefined;
          for (const k of term.words) {
            if (whole === undefined && one.counts[k] === 0) continue;
            matched.add(k);
            found.add(whole ?? k);
          }
        }
        if (matched.size === 0) note('unmatched', { words: queried });
        else note('matched', { matched: matched.size, words: queried, found: [...found].map((k) => vocabulary[k]!) });
      }
      return score;
    };
  }
}

/**
 * Counts words in a candidate's texts. Returns undefined if all texts are absent.
 *
 * @param words the numbers of the words in the index
 */
function countTerms(
  candidate: unknown,
  fields: readonly WeightedField[],
  index: TermIndex,
  words: readonly number[],
): TermCounts | undefined {
  const counts = new Float64Array(words.length);
  let length = 0;
  let present = false;
  for (const { read, weight } of fields) {
    const terms = index.termsOf(candidate, read);
    if (terms === undefined) continue;
    present = true;
    length += weight * terms.length;
    for (const [k, word] of words.entries()) counts[k]! += weight * frequencyIn(terms, word);
  }
  return present ? { counts, length } : undefined;
}

/** A term of a query, by indexes into its vocabulary. */
interface QueryTerm {
  /** Its words: one, or those of a name. */
  readonly words: readonly number[];
  /** A name as one word; undefined for a single word. */
  readonly whole: number | undefined;
  /** How often it occurs in the query. */
  readonly frequency: number;
}

/** The terms of a query and its vocabulary. */
interface QueryTerms {
  readonly terms: readonly QueryTerm[];
  /** The words to count in texts. */
  readonly vocabulary: readonly string[];
}

/** Collects the different terms of a query, and the words to count for them. */
function queryTerms(query: readonly Term[]): QueryTerms {
  const indexes = new Map<string, number>();
  const indexOf = (word: string): number => {
    const index = indexes.get(word) ?? indexes.size;
    indexes.set(word, index);
    return index;
  };
  const terms = new Map<string, QueryTerm>();
  for (const term of query) {
    const isName = typeof term !== 'string';
    const key = isName ? term.words.join(' ') : term;
    const frequency = (terms.get(key)?.frequency ?? 0) + 1;
    const words = isName ? term.words.map(indexOf) : [indexOf(term)];
    terms.set(key, { words, whole: isName ? indexOf(term.whole) : undefined, frequency });
  }
  return { terms: [...terms.values()], vocabulary: [...indexes.keys()] };
}
