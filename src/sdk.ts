/**
 * For those who write units: everything that a plugin needs, so that it depends on Assize alone.
 *
 * @module
 */

// The contract, and what its classes are written with.
export { z } from 'zod';
export * from './contract/index.js';
export { AssizeError, type Place, type Problem } from './diagnostics/problem.js';
export { isWarning, PROBLEM_CODES, type ProblemCode } from './diagnostics/codes.js';

// Params, and what is read with them.
export { describeValue } from './diagnostics/describe-value.js';
export { isMap } from './expression/is-map.js';
export { filePath } from './expression/file-path.js';
export { contextPath, duration, expression, itemPath, path, paths } from './expression/params.js';
export type { PathReader } from './expression/path/compile-path.js';
export { toMillis } from './expression/time.js';
export {
  readBoolean,
  readFinite,
  readList,
  readMap,
  readNumber,
  readText,
  readTexts,
} from './expression/path/typed-readers.js';

// Services: what a unit may have injected.
export {
  type LanguageModelAnswer,
  answerSchema,
  CLOCK,
  type Clock,
  type Embeddings,
  type Embedder,
  embedderParam,
  type EmbedderProvider,
  EMBEDDERS,
  type Embedders,
  type EmbedderSettings,
  embedderToken,
  type GraphSettings,
  type AnswerSchema,
  type LanguageModel,
  languageModelParam,
  LANGUAGE_MODELS,
  type LanguageModels,
  type LanguageModelSettings,
  NEIGHBOUR_GRAPHS,
  type NeighbourGraph,
  type NeighbourGraphs,
  PROGRESS,
  type LanguageModelQuestion,
} from './services/index.js';

// Packages that only some units need.
export { importOptional, type OptionalPackage, OptionalPackageError } from './services/index.js';

// Memories of vectors, and words.
export { estimateTokens, type VectorIndexSettings, VectorMemory, type VectorMemoryLimits } from './services/index.js';
export { isUnspaced, wordRuns } from './text/word-runs.js';

// What plugins would otherwise each write again: reading data of any shape, and comparing vectors.
export { ownValue } from './expression/own-value.js';
export { typeMismatch } from './expression/path/typed-readers.js';
export { RUN_VARIABLES } from './expression/scope.js';
export { valueOrError } from './expression/value-or-error.js';
export { COSINE_ROUNDING, cosineSimilarity } from './services/vector-memory/cosine-similarity.js';
