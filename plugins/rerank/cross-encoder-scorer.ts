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
    const logits = await this.#logits(model, query, documents.present, given.cache, run.abort);
    return documents.scoreBy((text, note) => {
      const logit = logits.get(text);
      if (logit === undefined) throw new Error(`${model.name} returned no score for it`);
      const score = given.activation === 'sigmoid' ? 1 / (1 + Math.exp(-logit)) : logit;
      note?.('relevant', { score, logit, model: model.name });
      return score;
    });
  }

  /** The logits of all texts. Each text is scored once, unless its logit is cached. */
  async #logits(
    model: Reranker,
    query: string,
    texts: readonly string[],
    most: number,
    abort: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const keyOf = (text: string): string => JSON.stringify([query, text]);
    const known = [...new Set(texts)].map((text) => [text, this.#cache.get(keyOf(text))] as const);
    const fresh = known.flatMap(([text, logit]) => (logit === undefined ? [text] : []));
    const given = fresh.length === 0 ? [] : await model.rerank({ query, documents: fresh }, abort);
    const learned = fresh.map((text, k) => [text, given[k]] as const);
    for (const [text, logit] of learned) if (logit !== undefined) this.#cache.set(keyOf(text), logit, most);
    return new Map([...known, ...learned].flatMap(([text, logit]) => (logit === undefined ? [] : [[text, logit]])));
  }
}
