import {
  type BatchScorer,
  defineScorer,
  duration,
  environmentName,
  inject,
  injectable,
  RERANKERS,
  type Rerankers,
  type RerankerSettings,
  type Run,
  type Score,
  serviceOptions,
  url,
  z,
} from '../../src/sdk.js';
import { AnswerCache, askAll, type Asking, askingParams, CallLimits, hopeOfEndpoint, unanswered } from './asking.js';
import { documentParam, Documents, queryParam, readQuery, withoutQuery } from './documents.js';

const params = z.strictObject({
  url: url({ protocol: /^https?$/, error: 'expected a URL such as https://api.cohere.com/v2/rerank' })
    .refine((address) => !/^\w+:\/\/[^/]*@/.test(address), 'expected a URL without a password: see key_env')
    .optional()
    .describe('The address that requests are sent to; may be left out where a service is bound that needs none.'),
  model: z.string().min(1).optional().describe('The model, as its endpoint names it.'),
  key_env: environmentName().optional().describe('The environment variable that holds the key.'),
  text: documentParam(),
  query: queryParam(),
  documents: z
    .literal(['documents', 'texts'])
    .default('documents')
    .describe('What the endpoint calls the list of texts; texts for text-embeddings-inference.'),
  batch: z.int().min(1).max(10_000).default(100).describe('How many candidates one call has.'),
  timeout: duration('10s')
    .refine((ms) => ms > 0, 'expected more than 0')
    .describe('How long one call may take, and the longest Retry-After that is waited for.'),
  range: z
    .tuple([z.number(), z.number()])
    .default([0, 1])
    .describe('The least and the greatest score of the model: by it, hopeless candidates are not asked about.'),
  options: serviceOptions().optional().describe('Further fields of the request; they replace those that are sent.'),
  ...askingParams,
});

type Params = z.output<typeof params>;

const settingsOf = ({
  url: address,
  model,
  key_env: keyEnv,
  documents,
  timeout,
  options,
}: Params): RerankerSettings => ({
  url: address,
  model,
  keyEnv,
  documents,
  timeout,
  options,
});

/**
 * Scores how relevant a candidate is to the query, as a reranker says. Candidates whose call failed, or which the answer
 * leaves out, fail alone: the entry's `on_error` says what then. Where a run got no answer at all, the entry has failed.
 */
@injectable()
export class RerankerScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours what a reranking model finds relevant to the query.',
    reads: 'params',
    params,
    range: ({ range: [least, most] }: Params) => [least, most],
    cost: 1_000_000,
    scope: 'candidate',
    reasons: {
      relevant: '{score} by {model}',
      no_query: 'the context has no {query}',
      absent: 'there is no text to compare',
    },
  });

  readonly #cache = new AnswerCache<number>();
  readonly #limits = new CallLimits();

  constructor(@inject(RERANKERS) private readonly rerankers: Rerankers) {}

  /** Reports missing settings before the first run. */
  check(given: Params): void {
    this.rerankers.open(settingsOf(given));
  }

  async prepare(given: Params, run: Run): Promise<Score<unknown> | Error> {
    const query = readQuery(given.query, run.context);
    if (query === undefined) return withoutQuery(given.query);
    const reranker = this.rerankers.open(settingsOf(given));
    const documents = new Documents(given.text, run.candidates);
    const limit = this.#limits.of(run.context, given);
    const scoreBy = (scores: ReadonlyMap<string, number | Error>): Score<unknown> =>
      documents.scoreBy((text, note) => {
        const score = scores.get(text) ?? unanswered(run.abort);
        if (score instanceof Error) throw score;
        note?.('relevant', { score, model: reranker.name });
        return score;
      });
    const asking: Asking<number> = {
      params: given,
      batch: given.batch,
      limit,
      cache: this.#cache,
      about: query,
      abort: run.abort,
      patience: given.timeout,
      hopeOf: hopeOfEndpoint,
      call: (texts) => reranker.rerank({ query, documents: texts }, run.abort),
    };
    const scores = await askAll(documents.present, asking, (soFar) => {
      if (!limit.failureOf(soFar)) run.partial(scoreBy(soFar));
    });
    return limit.failureOf(scores) ?? scoreBy(scores);
  }
}
