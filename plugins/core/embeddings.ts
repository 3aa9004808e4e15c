import {
  type Context,
  duration,
  embedderParam,
  type Embedders,
  type Embeddings,
  type MemoryFacts,
  type NeighbourGraphs,
  path,
  type PathReader,
  paths,
  typeMismatch,
  VectorMemory,
  type VectorMemoryLimits,
  z,
} from '../../src/unit-sdk.js';

/** The settings of an approximate index, named as in the HNSW paper. */
const indexParam = z.strictObject({
  type: z.literal('hnsw').describe('A graph of neighbours, from the package usearch.'),
  above: z
    .int()
    .min(1000)
    .default(10_000)
    .describe('Up to this number of vectors, all are compared. Above it, the index is searched.'),
  m: z.int().min(2).max(128).default(16).describe('The number of neighbours of each vector.'),
  ef_construction: z
    .int()
    .positive()
    .default(128)
    .describe('The number of candidates that are examined to find these neighbours.'),
  ef_search: z
    .int()
    .positive()
    .default(64)
    .describe('The number of candidates that a search examines. More: better recall, slower search.'),
});

/** The params that units share if they compare candidates by embeddings. */
const commonParams = {
  text: paths()
    .optional()
    .describe(
      'The path to the text to embed, or several paths whose texts are joined by spaces; lists are joined too. Set text or vector.',
    ),
  vector: path().optional().describe('The path to the candidate’s own vector. Set text or vector.'),
  dimensions: z
    .int()
    .positive()
    .optional()
    .describe('With vector: the expected width. Default: the width of the first vector.'),
  embedder: embedderParam(),
  max_elements: z
    .int()
    .positive()
    .default(1000)
    .describe('The maximum number of remembered vectors; the oldest are removed first.'),
  ttl: duration().optional().describe('How long vectors are remembered. Default: forever.'),
  index: indexParam.optional().describe('An approximate index for many vectors. Default: all vectors are compared.'),
};

/** The params of such a unit: the shared params and its own. */
export const embeddingParams = <S extends z.ZodRawShape>(own: S) =>
  z.strictObject({ ...commonParams, ...own }).superRefine(
    (params, ctx) => {
      const { text, vector, dimensions, max_elements, index } = params as Partial<EmbeddingParams>;
      const problem = textOrVectorProblem({ text, vector });
      if (problem !== undefined) ctx.addIssue(problem);
      else if (vector === undefined && dimensions !== undefined)
        ctx.addIssue('expected dimensions only beside vector: an embedder has its own');
      const above = index?.above;
      if (above !== undefined && max_elements !== undefined && above >= max_elements)
        ctx.addIssue(
          `expected max_elements of more than index.above, found ${max_elements} and ${above}: so few need no index`,
        );
    },
    { when: ({ value }) => typeof value === 'object' && value !== null }, // reported together with other problems
  );

export type EmbeddingParams = z.output<z.ZodObject<typeof commonParams>>;

const memoryLimits = ({ max_elements, ttl, dimensions, index }: EmbeddingParams): VectorMemoryLimits => ({
  maxElements: max_elements,
  ttlMs: ttl,
  dimensions,
  index: index && {
    above: index.above,
    m: index.m,
    efConstruction: index.ef_construction,
    efSearch: index.ef_search,
  },
});

/** The services that are injected into such a unit. */
export interface SimilarityServices {
  readonly embedders: Embedders;
  readonly graphs: NeighbourGraphs;
}

/** The memory of such a unit: the vectors of earlier candidates. A stored memory can be restored under other limits. */
export const vectorMemory: MemoryFacts<EmbeddingParams> = {
  empty: (params) => VectorMemory.empty(memoryLimits(params)),
  file: {
    version: 2,
    older: [1],
    store: (memory: VectorMemory) => memory.toBytes(),
    restore: (bytes, params) => VectorMemory.fromBytes(bytes, memoryLimits(params)),
    changes: {
      store: (before: VectorMemory, after: VectorMemory) => after.changesSince(before),
      apply: (memory: VectorMemory, changes) => memory.withChanges(changes),
    },
  },
};

/** Identifies the space of the remembered vectors: the model of an embedder, or the candidates' own vectors. */
export const fingerprintOf = ({ vector, embedder }: EmbeddingParams, { embedders }: SimilarityServices): string =>
  vector === undefined ? embedders.open(embedder).name : 'vectors of candidates';

/**
 * Checks before the first run that the embedder exists and accepts its settings, and that the library of the index is
 * installed if the params use one.
 */
export function checkServices(
  { vector, embedder, index }: EmbeddingParams,
  { embedders, graphs }: SimilarityServices,
): void {
  if (vector === undefined) embedders.open(embedder);
  if (index !== undefined) graphs.check();
}

/** The problem of params that need either a text or a vector; undefined if exactly one is set. */
export function textOrVectorProblem({
  text,
  vector,
}: {
  readonly text?: unknown;
  readonly vector?: unknown;
}): string | undefined {
  if (text === undefined && vector === undefined) return 'missing text or vector';
  return text !== undefined && vector !== undefined ? 'expected either text or vector, found both' : undefined;
}

/** A vector; undefined if its source is absent, an error if the source is malformed. */
export type EmbeddingResult = ArrayLike<number> | undefined | Error;

/** Embeds all texts of a list in one call. Absent and malformed entries stay as they are. */
export function embedTexts(
  texts: readonly (string | undefined | Error)[],
  embed: (texts: readonly string[]) => Embeddings | Promise<Embeddings>,
): readonly EmbeddingResult[] | Promise<readonly EmbeddingResult[]> {
  const present = texts.filter((text) => typeof text === 'string');
  return mapMaybePromise(present.length === 0 ? [] : embed(present), (vectors) => {
    let next = 0;
    return texts.map((text) => (typeof text === 'string' ? vectors[next++] : text));
  });
}

/**
 * Joins the texts at the paths by spaces. Returns undefined if all are absent; a single absent text counts as empty.
 */
export function readJoinedText(readers: readonly PathReader[], candidate: unknown): string | undefined {
  let text: string | undefined;
  for (const [k, read] of readers.entries()) {
    const value = read(candidate);
    const piece = Array.isArray(value) ? joinList(read, value) : pieceText(read, value);
    // Absent texts before the first one count as empty as soon as there is a text.
    if (piece !== undefined) text = (text ?? ' '.repeat(Math.max(0, k - 1))) + (k > 0 ? ` ${piece}` : piece);
    else if (text !== undefined) text += ' ';
  }
  return text;
}

/** Whether `readJoinedText` would return a text, without building it. */
export function hasJoinedText(readers: readonly PathReader[], candidate: unknown): boolean {
  let pieces = 0;
  for (const read of readers) {
    const value = read(candidate);
    // No early return: a value of a wrong type is an error at any path.
    if (!Array.isArray(value)) pieces += pieceText(read, value) === undefined ? 0 : 1;
    else for (const item of value) pieces += pieceText(read, item) === undefined ? 0 : 1;
  }
  return pieces > 0;
}

function joinList(read: PathReader, list: readonly unknown[]): string | undefined {
  let text = '';
  let present = false;
  for (let k = 0; k < list.length; k++) {
    const piece = pieceText(read, list[k]);
    if (k > 0) text += ' ';
    if (piece === undefined) continue;
    present = true;
    text += piece;
  }
  return present ? text : undefined;
}

function pieceText(read: PathReader, item: unknown): string | undefined {
  if (item === undefined || item === null) return undefined;
  if (typeof item === 'string') return item;
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  throw typeMismatch(read.source, 'a string', item);
}

/** Reads the vector at a path; undefined if it is absent. */
export function readVector(read: PathReader, candidate: unknown): ArrayLike<number> | undefined {
  const value = read(candidate);
  if (value === undefined || value instanceof Float32Array || value instanceof Float64Array) return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  throw typeMismatch(read.source, 'a list of numbers', value);
}

/** Reads the text of a query in the context; undefined if it is absent. */
export function readQueryText(query: PathReader, context: Context): string | undefined {
  const text = query(context);
  if (text === undefined || typeof text === 'string') return text;
  throw typeMismatch(`the context's ${query.source}`, 'a string', text);
}

/**
 * Applies a function to a value or to the result of a promise. Synchronous if possible, since a run without promises
 * needs no event loop.
 */
export const mapMaybePromise = <A, B>(value: A | Promise<A>, map: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(map) : map(value);
