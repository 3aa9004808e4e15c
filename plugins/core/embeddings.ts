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
} from '../../src/sdk.js';

/** The settings of an approximate index, named as in the HNSW paper. */
const indexParam = z.strictObject({
  type: z.literal('hnsw').describe('Graphs of neighbours, by the package usearch.'),
  above: z
    .int()
    .min(1000)
    .default(10_000)
    .describe('With up to so many, all are compared; with more, the index is searched.'),
  m: z.int().min(2).max(128).default(16).describe('How many neighbours each is joined to.'),
  ef_construction: z.int().positive().default(128).describe('How many are looked at to find those neighbours.'),
  ef_search: z
    .int()
    .positive()
    .default(64)
    .describe('How many are looked at in a search: more find better, and slower.'),
});

/** The params that units comparing candidates by embeddings share. */
const commonParams = {
  text: paths()
    .optional()
    .describe(
      'This or vector. The text to embed: the path to it, or paths whose texts are joined by a space; lists are joined too.',
    ),
  vector: path().optional().describe('This or text. The path to a vector that the candidate brings.'),
  dimensions: z
    .int()
    .positive()
    .optional()
    .describe('With vector: how many numbers one has; the first of all decides when not said.'),
  embedder: embedderParam(),
  max_elements: z.int().positive().default(1000).describe('How many are remembered; the oldest goes first.'),
  ttl: duration().optional().describe('How long they are remembered; for ever when not said.'),
  index: indexParam.optional().describe('An approximate index for many; all are compared when not said.'),
};

/** The params of such a unit: the shared ones and its own. */
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
    { when: ({ value }) => typeof value === 'object' && value !== null }, // reported beside any other problem
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

/** The memory of such a unit: the vectors of earlier candidates. A stored one can be restored under other limits. */
export const vectorMemory: MemoryFacts<EmbeddingParams> = {
  empty: (params) => VectorMemory.empty(memoryLimits(params)),
  file: {
    version: 1,
    store: (memory: VectorMemory) => memory.toBytes(),
    restore: (bytes, params) => VectorMemory.fromBytes(bytes, memoryLimits(params)),
  },
};

/** Identifies the space of the remembered vectors: an embedder's model, or the candidates' own vectors. */
export const fingerprintOf = ({ vector, embedder }: EmbeddingParams, { embedders }: SimilarityServices): string =>
  vector === undefined ? embedders.open(embedder).name : 'vectors of candidates';

/**
 * Checks before the first run that the embedder is known and accepts its settings, and that the library of the index is
 * installed where the params name one.
 */
export function checkServices(
  { vector, embedder, index }: EmbeddingParams,
  { embedders, graphs }: SimilarityServices,
): void {
  if (vector === undefined) embedders.open(embedder);
  if (index !== undefined) graphs.check();
}

/** The problem of params that must have a text or a vector, and not both; undefined where they do. */
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

/** A vector; undefined where its source is absent, an error where that is malformed. */
export type EmbeddingResult = ArrayLike<number> | undefined | Error;

/** Embeds the texts among some results in one call; absent and malformed ones stay as they are. */
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

/** Joins the texts of the paths by spaces; undefined where all are absent. One absent among others counts as empty. */
export function readJoinedText(readers: readonly PathReader[], candidate: unknown): string | undefined {
  let text: string | undefined;
  for (const [k, read] of readers.entries()) {
    const value = read(candidate);
    const piece = Array.isArray(value) ? joinList(read, value) : pieceText(read, value);
    // Absent ones before the first piece count as empty texts as soon as there is a piece.
    if (piece !== undefined) text = (text ?? ' '.repeat(Math.max(0, k - 1))) + (k > 0 ? ` ${piece}` : piece);
    else if (text !== undefined) text += ' ';
  }
  return text;
}

/** Whether `readJoinedText` would give a text, without building it. */
export function hasJoinedText(readers: readonly PathReader[], candidate: unknown): boolean {
  let pieces = 0;
  for (const read of readers) {
    const value = read(candidate);
    // No early return: a value of a wrong type is an error wherever it stands.
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

/** Reads the vector at a path; undefined where it is absent. */
export function readVector(read: PathReader, candidate: unknown): ArrayLike<number> | undefined {
  const value = read(candidate);
  if (value === undefined || value instanceof Float32Array || value instanceof Float64Array) return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  throw typeMismatch(read.source, 'a list of numbers', value);
}

/** Reads the text of a query in the context; undefined where it is absent. */
export function readQueryText(query: PathReader, context: Context): string | undefined {
  const text = query(context);
  if (text === undefined || typeof text === 'string') return text;
  throw typeMismatch(`the context's ${query.source}`, 'a string', text);
}

/**
 * Applies a function to a value, or to what a promise resolves to: synchronously where it can, since a run without
 * promises needs no event loop.
 */
export const mapMaybePromise = <A, B>(value: A | Promise<A>, map: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(map) : map(value);
