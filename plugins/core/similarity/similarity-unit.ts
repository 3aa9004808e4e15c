import {
  duration,
  type Embedders,
  embedderParam,
  type MemoryFacts,
  type NeighbourGraphs,
  path,
  paths,
  VectorMemory,
  type VectorMemoryLimits,
  z,
} from '../../../src/sdk.js';
import { textOrVectorProblem } from './text-or-vector.js';

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
