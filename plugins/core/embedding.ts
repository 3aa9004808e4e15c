import { duration, type Embedders, embedderParam, path, paths, type Run, VectorMemory, z } from '../../src/sdk.js';
import { attempt } from './attempt.js';
import { type Embedding, embedTexts, textOf, vectorOf } from './text-and-vector.js';

/** What units that compare candidates by their embeddings have in common. */
const common = {
  text: paths()
    .optional()
    .describe('The text to embed: the path to it, or paths whose texts are joined by a space; lists are joined too.'),
  vector: path().optional().describe('In place of text: the path to a vector that the candidate brings.'),
  dimensions: z
    .int()
    .positive()
    .optional()
    .describe('How many numbers the vectors of candidates have; the first of them decides when not said.'),
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

/** The memory before anything was seen. */
export const emptyMemory = ({ max_elements, ttl, dimensions }: EmbeddingParams): VectorMemory =>
  VectorMemory.empty({ maxElements: max_elements, ttlMs: ttl, dimensions });

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
  const embeddings: readonly Embedding[] =
    vector === undefined
      ? await embedTexts(
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
