import {
  describeValue,
  duration,
  type Embedders,
  embedderParam,
  type MemoryFacts,
  type PathReader,
  path,
  paths,
  type Run,
  VectorMemory,
  type VectorMemoryLimits,
  z,
} from '../../src/sdk.js';

/** What units that compare candidates by their embeddings have in common. */
const common = {
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
};

/** The params of such a unit: the common ones and its own. */
export const embeddingParams = <S extends z.ZodRawShape>(own: S) =>
  z.strictObject({ ...common, ...own }).superRefine(
    (params, ctx) => {
      const { text, vector, dimensions } = params as { text?: unknown; vector?: unknown; dimensions?: unknown };
      if ((text === undefined) === (vector === undefined)) ctx.addIssue('expected either text or vector');
      else if (vector === undefined && dimensions !== undefined)
        ctx.addIssue('expected dimensions only beside vector: an embedder has its own');
    },
    { when: ({ value }) => typeof value === 'object' && value !== null }, // whatever else is wrong
  );

export type EmbeddingParams = z.output<z.ZodObject<typeof common>>;

const limitsOf = ({ max_elements, ttl, dimensions }: EmbeddingParams): VectorMemoryLimits => ({
  maxElements: max_elements,
  ttlMs: ttl,
  dimensions,
});

/** The memory of such a unit: the vectors that it has seen. Stored, it is read under other limits as well. */
export const vectorMemory: MemoryFacts<EmbeddingParams> = {
  empty: (params) => VectorMemory.empty(limitsOf(params)),
  file: {
    version: 1,
    store: (memory: VectorMemory) => memory.toBytes(),
    restore: (bytes, params) => VectorMemory.fromBytes(bytes, limitsOf(params)),
  },
};

/** Whose vectors are remembered: those of an embedder's model, or those that candidates bring. */
export const fingerprintOf = ({ vector, embedder }: EmbeddingParams, embedders: Embedders): string =>
  vector === undefined ? embedders.open(embedder).name : 'vectors of candidates';

/** A candidate's vector; undefined where what makes it is absent, an error where it is of a wrong kind. */
type Embedding = ArrayLike<number> | undefined | Error;

/** How one candidate compares with what was seen before it. */
export interface Look {
  /** With the most similar one; undefined when nothing was seen before. */
  readonly similarity: number | undefined;
  /** What was seen before it. */
  readonly before: VectorMemory;
}

/** Every candidate's look: undefined where there was nothing to embed, an error where that was of a wrong kind. */
export interface Looks {
  readonly looks: readonly (Look | undefined | Error)[];
  /** What was seen after them all. */
  readonly memory: VectorMemory;
}

/**
 * Compares each candidate with what was seen before it, the earlier candidates included.
 *
 * @param learns whether one with that similarity is seen by those after it
 */
export async function compareInOrder(
  params: EmbeddingParams,
  { candidates, now, abort }: Run,
  embedders: Embedders,
  memory: VectorMemory,
  learns: (similarity: number | undefined) => boolean,
): Promise<Looks> {
  const { text, vector, embedder } = params;
  const embeddings =
    vector === undefined
      ? await embedded(
          candidates.map((candidate) => attempt(() => textOf(text ?? [], candidate))),
          (texts) => embedders.open(embedder).embed(texts, abort),
        )
      : candidates.map((candidate) => attempt(() => vectorOf(vector, candidate)));
  let after = memory;
  const compare = (embedding: ArrayLike<number>): Look => {
    const look = { similarity: after.maxCosineSimilarity(embedding, now), before: after };
    if (learns(look.similarity)) after = after.add(embedding, now);
    return look;
  };
  const looks = embeddings.map((embedding) => {
    if (embedding === undefined || embedding instanceof Error) return embedding;
    // A vector of a wrong width is that candidate's own mistake, but an embedder's is one of the whole run.
    return vector === undefined ? compare(embedding) : attempt(() => compare(embedding));
  });
  return { looks, memory: after };
}

/** An error becomes a value: one candidate's must not be that of all. */
function attempt<V>(make: () => V): V | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function embedded(
  texts: readonly (string | undefined | Error)[],
  embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
): Promise<readonly Embedding[]> {
  const present = texts.filter((text) => typeof text === 'string');
  const vectors = present.length === 0 ? [] : await embed(present);
  let next = 0;
  return texts.map((text) => (typeof text === 'string' ? vectors[next++] : text));
}

/** The texts of the paths, joined; undefined where all are absent. What is missing among others counts as empty. */
function textOf(readers: readonly PathReader[], candidate: unknown): string | undefined {
  const pieces = readers.map((read) => {
    const value = read(candidate);
    const list = Array.isArray(value) ? value : [value];
    const texts = list.map((item: unknown) => pieceOf(read, item));
    return texts.every((piece) => piece === undefined) ? undefined : texts.map((piece) => piece ?? '').join(' ');
  });
  return pieces.every((piece) => piece === undefined) ? undefined : pieces.map((piece) => piece ?? '').join(' ');
}

function pieceOf(read: PathReader, item: unknown): string | undefined {
  if (item === undefined || item === null) return undefined;
  if (typeof item === 'string') return item;
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  throw new TypeError(`${read.source}: expected a string, found ${describeValue(item)}`);
}

function vectorOf(read: PathReader, candidate: unknown): ArrayLike<number> | undefined {
  const value = read(candidate);
  if (value === undefined || value instanceof Float32Array || value instanceof Float64Array) return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  throw new TypeError(`${read.source}: expected a list of numbers, found ${describeValue(value)}`);
}
