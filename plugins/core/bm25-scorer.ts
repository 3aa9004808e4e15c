import {
  abstain,
  type BatchScorer,
  contextPath,
  defineScorer,
  describeValue,
  type ParamsOf,
  type PathReader,
  type Run,
  type Score,
  z,
} from '../../src/sdk.js';
import { attempt } from './attempt.js';
import { textOf } from './text-and-vector.js';
import { type WeightedField, weightedFields } from './weighted-fields.js';
import { englishWordsOf, lengthOf, wordsOf } from './words.js';

type Params = ParamsOf<typeof BM25Scorer>;

/** How often the words of the query stand in one candidate, by position in the query, and how long its text is. */
interface Counted {
  readonly counts: Float64Array;
  readonly length: number;
}

/**
 * How well a candidate's text matches the words of the query: Okapi BM25 over the candidates of the run.
 *
 * `Σ ln(1 + (N − n + 0.5) / (n + 0.5)) × f × (k1 + 1) / (f + k1 × (1 − b + b × length / average length))` over the
 * words of the query, a repeated one each time: N candidates with a text, n of them with the word, f times in this one
 * (Robertson and Zaragoza 2009; the logarithm is Lucene's, which is never negative). With weighted fields f and length
 * are the weighted sums of theirs.
 */
export class BM25Scorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours texts with the words of the query, rare words most (BM25).',
    params: z.strictObject({
      fields: weightedFields().describe('The texts: a path, a list of paths, or paths with their weights.'),
      query: contextPath('query').describe('The path to the query, in the context.'),
      plurals: z
        .enum(['kept', 'english'])
        .default('kept')
        .describe('english: words are compared without the endings of plurals and possessives.'),
      k1: z.number().nonnegative().default(1.2).describe('How much a word that comes again adds; 0: nothing.'),
      b: z.number().min(0).max(1).default(0.75).describe('How much a long text is marked down: from 0 to 1.'),
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
    const split = plurals === 'english' ? englishWordsOf : wordsOf;
    const words = split(queryText(query, run.context));
    if (words.length === 0) return (_candidate, _index, note) => abstain(note, 'no_query', { query: query.source });
    const repeated = new Map<string, number>();
    for (const word of words) repeated.set(word, (repeated.get(word) ?? 0) + 1);
    const different = [...repeated.keys()];
    const place = new Map(different.map((word, k) => [word, k]));
    const counted = run.candidates.map((candidate) => attempt(() => countIn(candidate, fields, split, place)));
    const texts = counted.filter((one): one is Counted => one !== undefined && !(one instanceof Error));
    const lengths = Float64Array.from(texts, ({ length }) => length).sort(); // rounding must not depend on their order
    const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    const rarity = different.map((_, k) => {
      const having = texts.filter(({ counts }) => counts[k] !== 0).length;
      return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    });
    const repeats = [...repeated.values()];
    return (_candidate, index, note) => {
      const one = counted[index];
      if (one instanceof Error) throw one;
      if (one === undefined) return abstain(note, 'absent');
      const spread = k1 * (1 - b + (b * one.length) / average);
      let score = 0;
      for (let k = 0; k < rarity.length; k++) {
        const count = one.counts[k]!;
        if (count > 0) score += (repeats[k]! * rarity[k]! * count * (k1 + 1)) / (count + spread);
      }
      if (note !== undefined) {
        const found = different.filter((_, k) => one.counts[k] !== 0);
        if (found.length === 0) note('unmatched', { words: different.length });
        else note('matched', { matched: found.length, words: different.length, found });
      }
      return score;
    };
  }
}

function queryText(query: PathReader, context: unknown): string {
  const text = query(context) ?? '';
  if (typeof text === 'string') return text;
  throw new TypeError(`the context's ${query.source}: expected a string, found ${describeValue(text)}`);
}

/** Counts the words of the query in a candidate's texts; undefined where all texts are absent. */
function countIn(
  candidate: unknown,
  fields: readonly WeightedField[],
  split: (text: string) => readonly string[],
  place: ReadonlyMap<string, number>,
): Counted | undefined {
  const counts = new Float64Array(place.size);
  let length = 0;
  let present = false;
  for (const { read, weight } of fields) {
    const text = textOf([read], candidate);
    if (text === undefined) continue;
    present = true;
    for (const word of split(text)) {
      length += weight * lengthOf(word);
      const k = place.get(word);
      if (k !== undefined) counts[k]! += weight;
    }
  }
  return present ? { counts, length } : undefined;
}
