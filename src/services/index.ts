/**
 * The services that units may inject: clock, embedders, vector memory, language models, rerankers. Runs without Node.
 *
 * @module
 */

export { CLOCK, type Clock, systemClock, noProgress, PROGRESS, noTracer, traced, TRACER } from './host-services.js';
export {
  type Embedder,
  type EmbedderProvider,
  EMBEDDERS,
  type Embedders,
  type EmbedderSettings,
  embedderToken,
  type Embeddings,
  embedderParam,
} from './embedder/embedder.js';
export {
  EmbedderRegistry,
  EMBEDDING_CACHE,
  EmbeddingCache,
  type EmbeddingCacheOptions,
  type EmbeddingCounts,
  sharedEmbeddings,
} from './embedder/embedder-registry.js';
export { LexicalProvider } from './embedder/lexical-embedder.js';
export {
  CROSS_ENCODERS,
  type CrossEncoders,
  type CrossEncoderSettings,
  crossEncoderParam,
  RERANKERS,
  type Reranker,
  type Rerankers,
  type RerankerSettings,
  type RerankRequest,
  scoresByIndex,
} from './reranker.js';
export {
  answerSchema,
  type AnswerSchema,
  LANGUAGE_MODELS,
  type LanguageModel,
  type LanguageModelAnswer,
  type LanguageModelQuestion,
  type LanguageModels,
  type LanguageModelSettings,
  languageModelParam,
} from './language-model/language-model.js';
export { quoteExternalText, estimateTokens } from './language-model/chat-completion.js';
export { boundedFetch, EndpointError, keyRedactor, type Retry, retryAfterOf } from './requests.js';
export type { MemoryOwner } from './memory-file/memory-envelope.js';
export type { MemoryFile, MemoryFiles } from './memory-file/memory-file.js';
export { type OnnxModel, type OnnxModels, type OnnxOutput, ONNX_MODELS } from './onnx-models.js';
export { importOptional, type OptionalPackage, OptionalPackageError } from './optional-package.js';
export { COSINE_ROUNDING, cosineSimilarity } from './vector-memory/vector-block.js';
export {
  type GraphSettings,
  NEIGHBOUR_GRAPHS,
  type NeighbourGraph,
  type NeighbourGraphs,
} from './vector-memory/vector-index.js';
export { type VectorIndexSettings, VectorMemory, type VectorMemoryLimits } from './vector-memory/vector-memory.js';
