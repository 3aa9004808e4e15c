import {
  type BatchVeto,
  COSINE_ROUNDING,
  defineVeto,
  EMBEDDERS,
  type Embedders,
  embedderParam,
  inject,
  injectable,
  type ParamsOf,
  type Run,
  type Score,
  valueOrError,
  z,
} from '../../../src/sdk.js';
import { answersOf, historyOf, lastOf, questionsOf } from '../turn/history.js';
import { readMove } from '../turn/interview-move.js';
import { exemptStrategiesParam, fractionParam, ignoredParam, lookbackParam } from '../turn/params.js';
import { embeddingSimilarity, ngramSimilarity, type TextSimilarity } from '../turn/text-similarity.js';

/** An utterance to compare with, and the similarity at which a description is refused. */
interface ComparedUtterance {
  readonly text: string;
  readonly kind: 'question' | 'answer';
  readonly threshold: number;
}

type Params = ParamsOf<typeof RecentRedundancyScorer>;

/**
 * Refuses a focus whose description is too similar to a recent question or, with `user_response_threshold`, to a recent
 * answer. The description stands for the question of the focus, which is not worded yet.
 */
@injectable()
export class RecentRedundancyScorer implements BatchVeto<Params> {
  static readonly meta = defineVeto({
    summary: 'Refuses a focus too like a question that was asked lately.',
    params: z.strictObject({
      similarity_threshold: fractionParam(0.85, 'The similarity to a question from which on it is refused.'),
      user_response_threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('The similarity to an answer from which on it is refused; answers are not compared when not said.'),
      lookback_window: lookbackParam(6),
      embedder: embedderParam()
        .unwrap()
        .optional()
        .describe('Compares by meaning. When not said, by runs of characters (TF-IDF), which needs nothing.'),
      min_ngram: z.int().positive().default(2).describe('The shortest run of characters that is compared.'),
      max_ngram: z.int().positive().max(100).default(3).describe('The longest.'),
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

  constructor(@inject(EMBEDDERS) private readonly embedders: Embedders) {}

  /** Reports an unknown embedder before the first run. */
  check({ embedder }: Params): void {
    if (embedder !== undefined) this.embedders.open(embedder);
  }

  async prepare(params: Params, { candidates, context, abort }: Run): Promise<Score<unknown, boolean>> {
    const exempt = new Set(params.exempt_strategies);
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
    return (candidate, _index, note) => {
      const { strategy, description } = readMove(candidate);
      if (exempt.has(strategy)) {
        note?.('exempt', { strategy });
        return false;
      }
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
    };
  }
}

/** The description of a candidate's focus; '' for a malformed candidate, which fails when it is evaluated itself. */
function descriptionOf(candidate: unknown): string {
  const description = valueOrError(() => readMove(candidate).description);
  return description instanceof Error ? '' : description;
}
