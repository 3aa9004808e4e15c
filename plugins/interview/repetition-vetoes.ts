import {
  type BatchVeto,
  COSINE_ROUNDING,
  cosineSimilarity,
  defineVeto,
  type Embedder,
  embedderParam,
  EMBEDDERS,
  type Embedders,
  type ParamsOf,
  type Run,
  type Score,
  valueOrError,
  z,
} from '../../src/unit-sdk.js';
import { counterOf, readMove, unlessExempt } from './fields.js';
import { answersOf, containsAny, historyOf, lastOf, questionsOf, streakOf } from './history.js';
import {
  exemptStrategiesParam,
  fractionParam,
  ignoredParam,
  lookbackParam,
  phrasesParam,
  strategyIdsParam,
  vetoedStrategies,
} from './params.js';

type QuestionRepetitionParams = ParamsOf<typeof QuestionRepetitionScorer>;

/** Refuses one more open question ("what else?") after several in a row. */
export class QuestionRepetitionScorer implements BatchVeto<QuestionRepetitionParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses one more "what else?" after several in a row.',
    params: z.strictObject({
      threshold: z.int().positive().default(3).describe('The number of such questions in a row that is too many.'),
      repetition_patterns: phrasesParam(['what else', 'what other', 'anything else'], 'Phrases of such a question.'),
      vetoed_strategies: strategyIdsParam(['broaden', 'cover_element'], 'The strategies that are refused.'),
      exempt_strategies: exemptStrategiesParam,
    }),
    scope: 'candidate',
    reasons: {
      repeated: 'it would make {count} such questions in a row',
      other_question: 'it would not be such a question',
      fresh: 'it would make {count} such questions in a row, less than {threshold}',
      other_strategy: '{strategy} may ask such a question',
    },
  });

  prepare(params: QuestionRepetitionParams, run: Run): Score<unknown, boolean> {
    const { threshold, repetition_patterns: patterns } = params;
    const vetoed = vetoedStrategies(params);
    const before = counterOf(run, 'repetition_count', () =>
      streakOf(questionsOf(historyOf(run.context)), ({ lower }) => containsAny(lower, patterns)),
    );
    return (candidate, _index, note) => {
      const { strategy, description } = readMove(candidate);
      const count = containsAny(description.toLowerCase(), patterns) ? before + 1 : 0;
      const refuses = count >= threshold && vetoed.has(strategy);
      if (refuses) note?.('repeated', { count });
      else if (count === 0) note?.('other_question');
      else note?.(vetoed.has(strategy) ? 'fresh' : 'other_strategy', { count, threshold, strategy });
      return refuses;
    };
  }
}

/** An utterance to compare with, and its threshold. */
interface ComparedUtterance {
  readonly text: string;
  readonly kind: 'question' | 'answer';
  readonly threshold: number;
}

type RecentRedundancyParams = ParamsOf<typeof RecentRedundancyScorer>;

/**
 * Refuses a focus whose description is too similar to a recent question or, with `user_response_threshold`, to a recent
 * answer. The description represents the question, which is not phrased yet.
 */
export class RecentRedundancyScorer implements BatchVeto<RecentRedundancyParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses a focus that is too similar to a recent question.',
    params: z.strictObject({
      similarity_threshold: fractionParam(0.85, 'A focus with at least this similarity to a question is refused.'),
      user_response_threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('A focus with at least this similarity to an answer is refused. Default: answers are not compared.'),
      lookback_window: lookbackParam(6),
      embedder: embedderParam()
        .unwrap()
        .optional()
        .describe('The embedder to compare by meaning. Default: compare n-grams of characters (TF-IDF).'),
      min_ngram: z.int().positive().default(2).describe('The length of the shortest n-gram.'),
      max_ngram: z.int().positive().max(100).default(3).describe('The length of the longest n-gram.'),
      exempt_strategies: exemptStrategiesParam,
      method: ignoredParam,
    }),
    scope: 'candidate',
    reasons: {
      alike: '{similarity} like the {kind} "{text}", at least {threshold}',
      unlike: '{similarity} like the {kind} "{text}", the most similar one, less than {threshold}',
      nothing_said: 'there is nothing to compare with',
      no_description: 'the focus has no description',
      exempt: '{strategy} is never refused',
    },
  });

  static readonly inject = [EMBEDDERS];
  constructor(private readonly embedders: Embedders) {}

  /** Reports an unknown embedder before the first run. */
  check({ embedder }: RecentRedundancyParams): void {
    if (embedder !== undefined) this.embedders.open(embedder);
  }

  async prepare(params: RecentRedundancyParams, { candidates, context, abort }: Run): Promise<Score<unknown, boolean>> {
    const recent = lastOf(historyOf(context), params.lookback_window);
    const { similarity_threshold: threshold, user_response_threshold: answerThreshold } = params;
    const compared: readonly ComparedUtterance[] = [
      ...questionsOf(recent).map(({ text }): ComparedUtterance => ({ text, kind: 'question', threshold })),
      ...(answerThreshold === undefined ? [] : answersOf(recent)).map(
        ({ text }): ComparedUtterance => ({ text, kind: 'answer', threshold: answerThreshold ?? 1 }),
      ),
    ];
    const texts = (): string[] => [...candidates.map(descriptionOf), ...compared.map(({ text }) => text)];
    const similarity: TextSimilarity =
      params.embedder === undefined
        ? (a, b) => ngramSimilarity(a, b, params.min_ngram, params.max_ngram)
        : await embeddingSimilarity(this.embedders.open(params.embedder), texts(), abort);
    return unlessExempt(params, ({ description }, _index, note) => {
      if (description === '') {
        note?.('no_description');
        return false;
      }
      const comparisons = compared.map((one) => ({ ...one, similarity: similarity(description, one.text) }));
      const nearest = comparisons.toSorted((a, b) => b.similarity - b.threshold - (a.similarity - a.threshold))[0];
      if (nearest === undefined) {
        note?.('nothing_said');
        return false;
      }
      const refuses = nearest.similarity >= nearest.threshold - COSINE_ROUNDING;
      note?.(refuses ? 'alike' : 'unlike', { ...nearest });
      return refuses;
    });
  }
}

/** The description of a candidate's focus; '' for a malformed candidate, which fails when it is evaluated. */
function descriptionOf(candidate: unknown): string {
  const description = valueOrError(() => readMove(candidate).description);
  return description instanceof Error ? '' : description;
}

/** The similarity of two texts, −1 to 1. */
type TextSimilarity = (a: string, b: string) => number;

/** Embeds texts in one call. The similarity of two texts is the cosine of their embeddings; 0 if one is blank. */
async function embeddingSimilarity(
  embedder: Embedder,
  texts: readonly string[],
  abort: AbortSignal,
): Promise<TextSimilarity> {
  const distinct = [...new Set(texts)].filter((text) => text.trim() !== '');
  const embedded = distinct.length === 0 ? [] : await embedder.embed(distinct, abort);
  const vectors = new Map(distinct.map((text, i) => [text, embedded[i]]));
  return (a, b) => {
    const [x, y] = [vectors.get(a), vectors.get(b)];
    return x === undefined || y === undefined ? 0 : cosineSimilarity(x, y);
  };
}

/** The n-grams of a text: the count of each, and the total. */
interface NgramCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countNgrams(text: string, minLength: number, maxLength: number): NgramCounts {
  const characters = Array.from(text.toLowerCase());
  const counts = new Map<string, number>();
  let total = 0;
  for (let length = minLength; length <= maxLength; length++) {
    for (let start = 0; start + length <= characters.length; start++) {
      const gram = characters.slice(start, start + length).join('');
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
      total += 1;
    }
  }
  return { counts, total };
}

/** The inverse document frequencies `ln(1 + 2 / (1 + df))`, the two texts being the whole collection. */
const IDF_IN_ONE = Math.log(2);
const IDF_IN_BOTH = Math.log(5 / 3);

/**
 * The similarity of the wording of two texts, 0 to 1: the cosine of their TF-IDF weights over n-grams of lower-case
 * characters, including spaces and punctuation. 0 if a text is shorter than the shortest n-gram.
 */
export function ngramSimilarity(a: string, b: string, minLength = 2, maxLength = 3): number {
  const [x, y] = [countNgrams(a, minLength, maxLength), countNgrams(b, minLength, maxLength)];
  if (x.total === 0 || y.total === 0) return 0;
  const squared = (one: NgramCounts, other: NgramCounts): number => {
    let sum = 0;
    for (const [gram, count] of one.counts)
      sum += ((count / one.total) * (other.counts.has(gram) ? IDF_IN_BOTH : IDF_IN_ONE)) ** 2;
    return sum;
  };
  let shared = 0;
  for (const [gram, count] of x.counts)
    shared += (count / x.total) * ((y.counts.get(gram) ?? 0) / y.total) * IDF_IN_BOTH * IDF_IN_BOTH;
  return shared / Math.sqrt(squared(x, y) * squared(y, x));
}
