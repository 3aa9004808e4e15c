import {
  abstain,
  type BatchScorer,
  contextPath,
  defineScorer,
  type Note,
  type ParamsOf,
  path,
  paths,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';
import { readQueryText } from './embeddings.js';
import { pathRecord } from './params.js';
import { analyze, analyzeEnglish, type Term } from './text-analysis.js';
import { frequencyIn, TermIndex, type WeightedField } from './text-corpus.js';

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
 * With `scale: share`, scores are divided by the least upper bound of the sum for this query, `Σ ln(…) × (k1 + 1)`: 0 means
 * that no word of the query occurs. Words that no candidate has count in the bound, with the greatest rarity.
 *
 * The texts of a candidate are split once, as long as the same object has the same texts. The same list of candidates keeps
 * its index: a query then costs the occurrences of its words.
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
      scale: z
        .enum(['none', 'share'])
        .default('none')
        .describe(
          'share: divided by the score that no text can exceed, so that scores lie between 0 and 1 and compare across queries.',
        ),
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

  prepare({ fields, query, plurals, scale, k1, b }: Params, run: Run): Score<unknown> {
    const { analyze: split, index } = ANALYSES[plurals];
    const { terms, vocabulary } = queryTerms(split(readQueryText(query, run.context) ?? ''));
    if (terms.length === 0) return (_candidate, _index, note) => abstain(note, 'no_query', { query: query.source });
    index.trim();
    const corpus = index.corpusOf(run.candidates, fields);
    const { lengths, errors, size } = corpus;
    const penalties = corpus.penalties(k1, b);
    const postings = vocabulary.map((word) => corpus.postings(index.find(word)));
    const rarity = postings.map(({ rows }) => Math.log(1 + (size - rows.length + 0.5) / (rows.length + 0.5)));
    const weightOf = (k: number, count: number, row: number): number =>
      (rarity[k]! * count * (k1 + 1)) / (count + penalties[row]!);
    const addWeights = (k: number, into: Float64Array, times: number): void => {
      const { rows, counts } = postings[k]!;
      const rare = rarity[k]!;
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        const count = counts[i]!;
        into[row]! += times * ((rare * count * (k1 + 1)) / (count + penalties[row]!)); // weightOf: a call takes twice as long
      }
    };
    const scores = new Float64Array(lengths.length);
    const [ofWords, ofWhole] = terms.some(({ whole }) => whole !== undefined)
      ? [new Float64Array(scores.length), new Float64Array(scores.length)]
      : [scores, scores];
    for (const { words, whole, frequency } of terms) {
      if (whole === undefined) {
        addWeights(words[0]!, scores, frequency);
        continue;
      }
      for (const k of words) addWeights(k, ofWords, 1);
      addWeights(whole, ofWhole, 1);
      // Only the rows that have one of the words. The first visit of a row clears it for the next ones, and for the next name.
      for (const k of [...words, whole]) {
        for (const row of postings[k]!.rows) {
          scores[row]! += frequency * Math.max(ofWords[row]!, ofWhole[row]!);
          ofWords[row] = ofWhole[row] = 0;
        }
      }
    }
    if (scale === 'share') {
      const most = (k: number): number => rarity[k]! * (k1 + 1);
      const limit = terms.reduce((sum, { words, whole, frequency }) => {
        const mostOfWords = words.reduce((total, k) => total + most(k), 0);
        return sum + frequency * Math.max(mostOfWords, whole === undefined ? 0 : most(whole));
      }, 0);
      for (let row = 0; row < scores.length; row++) scores[row]! /= limit;
    }
    const weightIn = (k: number, row: number): number => {
      const count = frequencyIn(postings[k]!, row);
      return count === 0 ? 0 : weightOf(k, count, row);
    };
    const explain = (row: number, note: Note): void => {
      const matched = new Set<number>();
      const found = new Set<number>();
      for (const { words, whole } of terms) {
        const sum = words.reduce((total, k) => total + weightIn(k, row), 0);
        const name = whole !== undefined && weightIn(whole, row) > sum ? whole : undefined;
        for (const k of words) {
          if (name === undefined && frequencyIn(postings[k]!, row) === 0) continue;
          matched.add(k);
          found.add(name ?? k);
        }
      }
      const queried = new Set(terms.flatMap(({ words }) => words)).size;
      if (matched.size === 0) note('unmatched', { words: queried });
      else note('matched', { matched: matched.size, words: queried, found: [...found].map((k) => vocabulary[k]!) });
    };
    // Short, so that V8 inlines it into the loop over the candidates.
    return (_candidate, row, note) => {
      if (Number.isNaN(lengths[row])) {
        const error = errors.get(row);
        if (error) throw error;
        return abstain(note, 'absent');
      }
      if (note !== undefined) explain(row, note);
      return scores[row]!;
    };
  }
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
