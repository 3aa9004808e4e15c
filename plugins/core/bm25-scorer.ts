import {
  abstain,
  type BatchScorer,
  contextPath,
  defineScorer,
  type ParamsOf,
  path,
  type PathReader,
  paths,
  type Run,
  type Score,
  valueOrError,
  z,
} from '../../src/unit-sdk.js';
import { readQueryText } from './embeddings.js';
import { pathRecord } from './params.js';
import { analyze, analyzeEnglish, frequencyIn, type Term, TermIndex } from './term-index.js';

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
