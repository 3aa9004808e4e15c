import {
  type BatchVeto,
  defineVeto,
  EMBEDDERS,
  type Embedders,
  embedderParam,
  inject,
  injectable,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../../src/sdk.js';
import { characterSimilarity, embeddingSimilarity } from '../similarity/text-similarity.js';
import { answersOf, historyOf, lastOf, questionsOf } from '../turn/history.js';
import { readMove } from '../turn/interview-move.js';
import { exemptStrategiesParam, fractionParam, ignoredParam, lookbackParam } from '../turn/params.js';

/** A text's similarity to itself may miss 1 by rounding: a threshold of 1 must still find repetitions. */
const ROUNDING = 1e-9;

/** One thing that was said, and how like it a description may not be. */
interface ComparedUtterance {
  readonly text: string;
  readonly kind: 'question' | 'answer';
  readonly threshold: number;
}

type Params = ParamsOf<typeof RecentRedundancyScorer>;

/**
 * Refuses a focus whose description is too like a question that was really asked, or, if wanted, an answer that was
 * given. The question for the focus is not written yet: its description stands for it.
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
      max_ngram: z.int().positive().default(3).describe('The longest.'),
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

  /** An embedder that nobody has is found out before anything runs. */
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
    const similarity =
      params.embedder === undefined
        ? characterSimilarity(params.min_ngram, params.max_ngram)
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
      const looks = compared.map((one) => ({ ...one, similarity: similarity(description, one.text) }));
      const nearest = looks.toSorted((a, b) => b.similarity - b.threshold - (a.similarity - a.threshold))[0];
      if (nearest === undefined) {
        note?.('nothing_said');
        return false;
      }
      const refuses = nearest.similarity >= nearest.threshold - ROUNDING;
      note?.(refuses ? 'alike' : 'unlike', { ...nearest });
      return refuses;
    };
  }
}

/** What is wrong with a candidate is told where it is judged. */
function descriptionOf(candidate: unknown): string {
  try {
    return readMove(candidate).description;
  } catch {
    return '';
  }
}
