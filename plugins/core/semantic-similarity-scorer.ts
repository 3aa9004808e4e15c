import {
  abstain,
  type BatchScorer,
  contextPath,
  defineScorer,
  describeValue,
  EMBEDDERS,
  type Embedders,
  embedderParam,
  inject,
  injectable,
  path,
  paths,
  type Run,
  type Score,
  z,
} from '../../src/sdk.js';
import { cosineSimilarity } from './cosine-similarity.js';
import { EmbeddingCache } from './embedding-cache.js';
import { mapMaybePromise } from './maybe-promise.js';
import { type EmbeddingResult, embedTexts, readJoinedText, readVector, textOrVectorProblem } from './text-or-vector.js';
import { valueOrError } from './value-or-error.js';

const params = z
  .strictObject({
    text: paths()
      .optional()
      .describe('The text to embed: the path to it, or paths whose texts are joined by a space; lists are joined too.'),
    vector: path().optional().describe('In place of text: the path to a vector that the candidate brings.'),
    query: contextPath('query').describe('The path to the query, in the context.'),
    query_vector: contextPath()
      .optional()
      .describe('In place of query: the path to its vector, in the context; nothing is then embedded for it.'),
    embedder: embedderParam(),
    cache: z.int().nonnegative().default(10_000).describe('How many texts’ vectors are kept for the next runs.'),
  })
  .superRefine(
    (given, ctx) => {
      const wrong = textOrVectorProblem(given);
      if (wrong !== undefined) ctx.addIssue(wrong);
    },
    { when: ({ value }) => typeof value === 'object' && value !== null }, // whatever else is wrong
  );

type Params = z.output<typeof params>;

/** How like the query a candidate is in meaning: the cosine similarity of their vectors. */
@injectable()
export class SemanticSimilarityScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates that mean what the query means.',
    params,
    range: [-1, 1],
    cost: ({ vector }: Params) => (vector === undefined ? 10_000 : 100),
    scope: 'candidate',
    reasons: {
      similar: 'its meaning is {similarity} like the query’s',
      no_query: 'the context has no {query}',
      absent: 'there is no text or vector to compare',
    },
  });
  #known: EmbeddingCache | undefined;

  constructor(@inject(EMBEDDERS) private readonly embedders: Embedders) {}

  /** An embedder that nobody has, or that refuses a setting, is found out before anything runs. */
  check({ vector, query_vector, embedder }: Params): void {
    if (vector === undefined || query_vector === undefined) this.embedders.open(embedder);
  }

  prepare(given: Params, run: Run): Score<unknown> | Promise<Score<unknown>> {
    const { text, vector, query, query_vector, embedder, cache } = given;
    this.#known ??= new EmbeddingCache(cache);
    const known = this.#known;
    const embed = (texts: readonly string[]) => known.embed(this.embedders.open(embedder), texts, run.abort);
    const asked = query_vector ?? query;
    const about =
      query_vector === undefined
        ? mapMaybePromise(embedTexts([queryText(asked.source, query(run.context))], embed), ([one]) => one)
        : readVector(query_vector, run.context);
    const vectors = (): readonly EmbeddingResult[] | Promise<readonly EmbeddingResult[]> =>
      vector === undefined
        ? embedTexts(
            run.candidates.map((candidate) => valueOrError(() => readJoinedText(text ?? [], candidate))),
            embed,
          )
        : run.candidates.map((candidate) => valueOrError(() => readVector(vector, candidate)));
    return mapMaybePromise<EmbeddingResult, Score<unknown>>(about, (one) => {
      if (one instanceof Error) throw one;
      if (one === undefined) return (_candidate, _index, note) => abstain(note, 'no_query', { query: asked.source });
      return mapMaybePromise(vectors(), (all) => this.#scoreOf(all, one));
    });
  }

  #scoreOf(vectors: readonly EmbeddingResult[], about: ArrayLike<number>): Score<unknown> {
    const compare = (one: ArrayLike<number>) => valueOrError(() => cosineSimilarity(one, about));
    const similarities = vectors.map((one) => (one === undefined || one instanceof Error ? one : compare(one)));
    return (_candidate, index, note) => {
      const similarity = similarities[index];
      if (similarity instanceof Error) throw similarity;
      if (similarity === undefined) return abstain(note, 'absent');
      note?.('similar', { similarity });
      return similarity;
    };
  }
}

/** The query, undefined where it is absent or blank: there is nothing to compare with then. */
function queryText(source: string, text: unknown): string | undefined {
  if (text === undefined || (typeof text === 'string' && text.trim() === '')) return undefined;
  if (typeof text === 'string') return text;
  throw new TypeError(`the context's ${source}: expected a string, found ${describeValue(text)}`);
}
