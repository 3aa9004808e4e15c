import {
  AnswerCache,
  type BatchScorer,
  CROSS_ENCODERS,
  crossEncoderParam,
  type CrossEncoders,
  defineScorer,
  type Reranker,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';
import { unanswered } from './asking.js';
import { documentParam, Documents, queryParam, readQuery, withoutQuery } from './documents.js';

const params = z.strictObject({
  model: crossEncoderParam(),
  text: documentParam(),
  query: queryParam(),
  activation: z
    .literal(['sigmoid', 'none'])
    .default('sigmoid')
    .describe('sigmoid: map the output of the model to 0–1. none: return it unchanged.'),
  cache: z.int().min(0).default(10_000).describe('The number of cached scores. 0 disables the cache.'),
});

type Params = z.output<typeof params>;

/**
 * Scores how relevant a candidate is to the query, by a cross-encoder that reads both together and runs in this
 * process. If it cannot be loaded, the entry fails and its `on_error` applies.
 */
export class CrossEncoderScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates that a local cross-encoder finds relevant to the query.',
    reads: 'params',
    params,
    range: ({ activation }: Params) =>
      activation === 'sigmoid' ? [0, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    cost: 1_000_000,
    scope: 'candidate',
    reasons: {
      relevant: '{score} by {model}, of the logit {logit}',
      no_query: 'the context has no {query}',
      absent: 'there is no text to compare',
    },
  });

  /** Logits by query and text. */
  readonly #cache = new AnswerCache<number>();

  static readonly inject = [CROSS_ENCODERS];
  constructor(private readonly crossEncoders: CrossEncoders) {}

  /** Reports wrong settings before the first run. */
  check({ model }: Params): void {
    this.crossEncoders.open(model);
  }

  async prepare(given: Params, run: Run): Promise<Score<unknown>> {
    const query = readQuery(given.query, run.context);
    if (query === undefined) return withoutQuery(given.query);
    const model = this.crossEncoders.open(given.model);
    const documents = new Documents(given.text, run.candidates);
    const keyOf = (text: string): string => JSON.stringify([query, text]);
    const logits = new Map<string, number>();
    const score = documents.scoreBy((text, note) => {
      const logit = logits.get(text);
      if (logit === undefined) throw run.abort.aborted ? unanswered(run.abort) : noScore(model);
      const value = given.activation === 'sigmoid' ? 1 / (1 + Math.exp(-logit)) : logit;
      note?.('relevant', { score: value, logit, model: model.name });
      return value;
    });
    const unknown = [...new Set(documents.present)].filter((text) => {
      const logit = this.#cache.get(keyOf(text));
      if (logit !== undefined) logits.set(text, logit);
      return logit === undefined;
    });
    if (logits.size > 0) run.partial(score);
    while (unknown.length > 0) {
      const texts = unknown.splice(0, BATCH);
      // oxlint-disable-next-line no-await-in-loop -- a batch uses all cores
      const answers = await model.rerank({ query, documents: texts }, run.abort);
      run.abort.throwIfAborted(); // the score may already be in use
      for (const [k, text] of texts.entries()) {
        const logit = answers[k];
        if (logit === undefined) continue;
        this.#cache.set(keyOf(text), logit, given.cache);
        logits.set(text, logit);
      }
      if (logits.size > 0) run.partial(score);
    }
    return score;
  }
}

/** The number of pairs after which a timeout keeps their scores. The model reads one pair at a time. */
const BATCH = 8;

const noScore = ({ name }: Reranker): Error => new Error(`${name} returned no score for it`);
