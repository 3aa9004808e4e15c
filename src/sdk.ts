/**
 * For those who write units: everything that a plugin needs, so that it depends on Assize alone.
 *
 * @module
 */

// The contract, and what its classes are written with.
export * as z from 'zod';
export * from './contract/index.js';
export {
  AssizeError,
  describeValue,
  type Fault,
  isWarning,
  lowerBound,
  type Place,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  valueOrError,
} from './diagnostics/index.js';

// Params, and what is read with them.
export {
  contextPath,
  duration,
  environmentName,
  expression,
  filePath,
  isMap,
  itemPath,
  ownValue,
  type PathReader,
  path,
  paths,
  RUN_VARIABLES,
  readBoolean,
  readFinite,
  readList,
  readMap,
  readNumber,
  readText,
  readTexts,
  serviceOptions,
  type TimeFormat,
  timeFormat,
  toMillis,
  typeMismatch,
  url,
} from './expression/index.js';

// Services: what a unit may have injected.
export {
  type LanguageModelAnswer,
  answerSchema,
  CLOCK,
  type Clock,
  CROSS_ENCODERS,
  crossEncoderParam,
  type CrossEncoders,
  type CrossEncoderSettings,
  type Embeddings,
  type Embedder,
  embedderParam,
  type EmbedderProvider,
  EMBEDDERS,
  type Embedders,
  type EmbedderSettings,
  embedderToken,
  EMBEDDING_CACHE,
  EmbeddingCache,
  type EmbeddingCacheOptions,
  type EmbeddingCounts,
  sharedEmbeddings,
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
  ONNX_MODELS,
  type OnnxModel,
  type OnnxModels,
  type OnnxOutput,
  PROGRESS,
  TRACER,
  type LanguageModelQuestion,
  RERANKERS,
  type Reranker,
  type Rerankers,
  type RerankerSettings,
  type RerankRequest,
  scoresByIndex,
} from './services/index.js';

// Packages that only some units need.
export { importOptional, type OptionalPackage, OptionalPackageError } from './services/index.js';

// Requests to services of others: bounded, without the key in messages, and their texts on one line.
export {
  boundedFetch,
  EndpointError,
  keyRedactor,
  quoteExternalText,
  type Retry,
  retryAfterOf,
} from './services/index.js';

// Vectors and their memories, and words.
export {
  COSINE_ROUNDING,
  cosineSimilarity,
  estimateTokens,
  type VectorIndexSettings,
  VectorMemory,
  type VectorMemoryLimits,
} from './services/index.js';
export { isUnspaced, wordRuns } from './text/index.js';
