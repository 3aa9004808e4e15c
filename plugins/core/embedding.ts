import {
  duration,
  type Embedders,
  embedderParam,
  type MemoryFacts,
  path,
  paths,
  type Run,
  VectorMemory,
  type VectorMemoryLimits,
  z,
} from '../../src/sdk.js';
import { after } from './after.js';
import { attempt } from './attempt.js';
import { type Embedding, embedTexts, notOneOf, textOf, vectorOf } from './text-and-vector.js';

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
      const wrong = notOneOf({ text, vector });
      if (wrong !== undefined) ctx.addIssue(wrong);
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
 * @returns an error where the embedder is known to be of no use
 */
export function compareInOrder(
  params: EmbeddingParams,
  { candidates, now, abort }: Run,
  embedders: Embedders,
  memory: VectorMemory,
  learns: (similarity: number | undefined) => boolean,
): Looks | Error | Promise<Looks> {
  const { text = [], vector, embedder: settings } = params;
  const looks = (given: readonly Embedding[]): Looks => looksAt(given, vector === undefined, now, memory, learns);
  if (vector !== undefined) return looks(candidates.map((candidate) => attempt(() => vectorOf(vector, candidate))));
  const textIn = (candidate: unknown) => attempt(() => textOf(text, candidate));
  const embedder = embedders.open(settings);
  const { unusable } = embedder;
  if (unusable && candidates.some((candidate) => typeof textIn(candidate) === 'string')) return unusable;
  const embeddings = embedTexts(candidates.map(textIn), (texts) => embedder.embed(texts, abort));
  return after(embeddings, looks);
}

/** @param embedded whether one embedder made them all */
function looksAt(
  embeddings: readonly Embedding[],
  embedded: boolean,
  now: number,
  memory: VectorMemory,
  learns: (similarity: number | undefined) => boolean,
): Looks {
  let seen = memory;
  const compare = (embedding: ArrayLike<number>): Look => {
    const look = { similarity: seen.maxCosineSimilarity(embedding, now), before: seen };
    if (learns(look.similarity)) seen = seen.add(embedding, now);
    return look;
  };
  const looks = embeddings.map((embedding) => {
    if (embedding === undefined || embedding instanceof Error) return embedding;
    // A vector of a wrong width is that candidate's own mistake, but an embedder's is one of the whole run.
    return embedded ? compare(embedding) : attempt(() => compare(embedding));
  });
  return { looks, memory: seen };
}
