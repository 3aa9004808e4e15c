import {
  abstain,
  type BatchScorer,
  type Context,
  contextPath,
  cosineSimilarity,
  defineScorer,
  embedderParam,
  EMBEDDERS,
  type Embedders,
  path,
  type PathReader,
  paths,
  type Run,
  type Score,
  valueOrError,
  z,
} from '../../src/unit-sdk.js';
import {
  type EmbeddingResult,
  embedTexts,
  mapMaybePromise,
  readJoinedText,
  readQueryText,
  readVector,
  textOrVectorProblem,
} from './embeddings.js';

const params = z
  .strictObject({
    text: paths()
      .optional()
      .describe(
        'The path to the text to embed, or several paths whose texts are joined by spaces; lists are joined too.',
      ),
    vector: path().optional().describe('The path to the candidate’s own vector, instead of text.'),
    query: contextPath('query').describe('The path to the query in the context.'),
    query_vector: contextPath()
      .optional()
      .describe('The path to the query’s vector in the context, instead of query. The query is then not embedded.'),
    embedder: embedderParam(),
  })
  .superRefine(
    (given, ctx) => {
      const problem = textOrVectorProblem(given);
      if (problem !== undefined) ctx.addIssue(problem);
    },
    { when: ({ value }) => typeof value === 'object' && value !== null }, // reported together with other problems
  );

type Params = z.output<typeof params>;

/** Scores how similar a candidate's meaning is to the query's, by the cosine similarity of their embeddings. */
export class SemanticSimilarityScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates whose meaning is similar to the query’s.',
    reads: 'params',
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

  static readonly inject = [EMBEDDERS];
  constructor(private readonly embedders: Embedders) {}

  /** Reports an unknown embedder, or one that refuses a setting, before the first run. */
  check({ vector, query_vector, embedder }: Params): void {
    if (vector === undefined || query_vector === undefined) this.embedders.open(embedder);
  }

  prepare({ text, vector, query, query_vector, embedder }: Params, run: Run): Score<unknown> | Promise<Score<unknown>> {
    const embed = (texts: readonly string[]) => this.embedders.open(embedder).embed(texts, run.abort);
    const queryVector =
      query_vector === undefined
        ? mapMaybePromise(embedTexts([presentQuery(query, run.context)], embed), ([first]) => first)
        : readVector(query_vector, run.context);
    const candidateVectors = (): readonly EmbeddingResult[] | Promise<readonly EmbeddingResult[]> =>
      vector === undefined
        ? embedTexts(
            run.candidates.map((candidate) => valueOrError(() => readJoinedText(text ?? [], candidate))),
            embed,
          )
        : run.candidates.map((candidate) => valueOrError(() => readVector(vector, candidate)));
    return mapMaybePromise<EmbeddingResult, Score<unknown>>(queryVector, (about) => {
      if (about instanceof Error) throw about;
      if (about !== undefined) return mapMaybePromise(candidateVectors(), (vectors) => similarityTo(about, vectors));
      const { source } = query_vector ?? query;
      return (_candidate, _index, note) => abstain(note, 'no_query', { query: source });
    });
  }
}

/**
 * Scores each candidate by the cosine similarity of its vector. A vector whose width differs from the query's fails
 * only that candidate.
 */
function similarityTo(query: ArrayLike<number>, vectors: readonly EmbeddingResult[]): Score<unknown> {
  const compare = (vector: ArrayLike<number>) => valueOrError(() => cosineSimilarity(vector, query));
  const similarities = vectors.map((one) => (one === undefined || one instanceof Error ? one : compare(one)));
  return (_candidate, index, note) => {
    const similarity = similarities[index];
    if (similarity instanceof Error) throw similarity;
    if (similarity === undefined) return abstain(note, 'absent');
    note?.('similar', { similarity });
    return similarity;
  };
}

/** The query's text; undefined if it is absent or blank, since a blank text has no meaning to compare. */
function presentQuery(query: PathReader, context: Context): string | undefined {
  const text = readQueryText(query, context);
  return text?.trim() === '' ? undefined : text;
}
