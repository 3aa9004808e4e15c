import {
  ANSWER_FOLDERS,
  type AnswerFolders,
  type BatchScorer,
  defineScorer,
  duration,
  environmentName,
  RERANKERS,
  type Rerankers,
  type RerankerSettings,
  type Run,
  type Score,
  serviceOptions,
  url,
  z,
} from '../../src/unit-sdk.js';
import { askAll, type Asking, askingParams, AskingState, outlookOfEndpoint, unanswered } from './asking.js';
import { documentParam, Documents, queryParam, readQuery, withoutQuery } from './documents.js';

const params = z.strictObject({
  url: url({ protocol: /^https?$/, error: 'expected a URL such as https://api.cohere.com/v2/rerank' })
    .refine((address) => !/^\w+:\/\/[^/]*@/.test(address), 'expected a URL without a password: see key_env')
    .optional()
    .describe('The URL of the endpoint. Not needed with a bound service that has its own.'),
  model: z.string().min(1).optional().describe('The name of the model at its endpoint.'),
  key_env: environmentName().optional().describe('The environment variable that contains the key.'),
  text: documentParam(),
  query: queryParam(),
  documents: z
    .literal(['documents', 'texts'])
    .default('documents')
    .describe('The field of the request for the list of texts, such as texts for text-embeddings-inference.'),
  batch: z.int().min(1).max(10_000).default(100).describe('The number of candidates in one call.'),
  timeout: duration('10s')
    .refine((ms) => ms > 0, 'expected more than 0')
    .describe('The timeout of one call, and the longest accepted Retry-After.'),
  range: z
    .tuple([z.number(), z.number()])
    .default([0, 1])
    .describe(
      'The least and the greatest score of the model. With it, candidates that cannot be selected are not sent.',
    ),
  options: serviceOptions().optional().describe('Additional fields of the request. They override the default fields.'),
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
 * Scores how relevant a candidate is to the query, by a reranker. Candidates whose call failed or that are missing in
 * the answer fail individually, and the entry's `on_error` applies. If a run got no answer at all, the entry fails.
 */
export class RerankerScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates that a reranking model finds relevant to the query.',
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

  readonly #state: AskingState;

  static readonly inject = [RERANKERS, ANSWER_FOLDERS];
  constructor(
    private readonly rerankers: Rerankers,
    folders: AnswerFolders,
  ) {
    this.#state = new AskingState(folders);
  }

  /** Reports missing settings before the first run. */
  check(given: Params): void {
    this.rerankers.open(settingsOf(given));
  }

  async prepare(given: Params, run: Run): Promise<Score<unknown> | Error> {
    const query = readQuery(given.query, run.context);
    if (query === undefined) return withoutQuery(given.query);
    const reranker = this.rerankers.open(settingsOf(given));
    const documents = new Documents(given.text, run.candidates);
    const limit = this.#state.limitOf(run.context, given);
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
      store: this.#state.storeOf(given),
      parse: (stored) => (typeof stored === 'number' ? stored : undefined),
      about: JSON.stringify([query, given.url, given.model, reranker.name, given.options]),
      abort: run.abort,
      patience: given.timeout,
      outlookOf: outlookOfEndpoint,
      call: (texts) => reranker.rerank({ query, documents: texts }, run.abort),
    };
    const scores = await askAll(documents.present, asking, (soFar) => {
      if (!limit.failureOf(soFar)) run.partial(scoreBy(soFar));
    });
    return limit.failureOf(scores) ?? scoreBy(scores);
  }
}
