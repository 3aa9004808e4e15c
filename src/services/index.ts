/**
 * What units may have injected: clock, embedders, vector memory, language models.
 * What other rooms use of this one.
 *
 * @module
 */

export { CLOCK, type Clock, systemClock } from './clock.js';
export {
  type Embedder,
  type EmbedderProvider,
  EMBEDDERS,
  type Embedders,
  type EmbedderSettings,
  embedderToken,
  type Embeddings,
} from './embedder/embedder.js';
export { EmbedderRegistry } from './embedder/embedder-registry.js';
export { embedderParam } from './embedder/embedder-param.js';
export {
  EMBEDDING_CACHE,
  EmbeddingCache,
  type EmbeddingCacheOptions,
  type EmbeddingCounts,
  sharedEmbeddings,
} from './embedder/embedding-cache.js';
export { LexicalProvider } from './embedder/lexical-embedder.js';
export { CROSS_ENCODERS, type CrossEncoders, type CrossEncoderSettings } from './cross-encoder/cross-encoder.js';
export { crossEncoderParam } from './cross-encoder/cross-encoder-param.js';
export { answerSchema } from './language-model/answer-schema.js';
export {
  type AnswerSchema,
  LANGUAGE_MODELS,
  type LanguageModel,
  type LanguageModelAnswer,
  type LanguageModelQuestion,
  type LanguageModels,
  type LanguageModelSettings,
} from './language-model/language-model.js';
export { quoteExternalText } from './language-model/chat-completion.js';
export { keyRedactor } from './language-model/request-failure.js';
export { EndpointError, type Retry, retryAfterOf } from './endpoint-error.js';
export { boundedFetch } from './fetch.js';
export {
  RERANKERS,
  type Reranker,
  type Rerankers,
  type RerankerSettings,
  type RerankRequest,
  scoresByIndex,
} from './reranker.js';
export { languageModelParam } from './language-model/language-model-param.js';
export { estimateTokens } from './language-model/token-budget.js';
export type { MemoryOwner } from './memory-file/memory-envelope.js';
export type { MemoryFile } from './memory-file/memory-file.js';
export type { MemoryFiles } from './memory-file/memory-files.js';
export { type OnnxModel, type OnnxModels, type OnnxOutput, ONNX_MODELS } from './onnx/onnx-models.js';
export { importOptional, type OptionalPackage, OptionalPackageError } from './optional-package.js';
export { noProgress, PROGRESS } from './progress.js';
export { noTracer, traced, TRACER } from './tracer.js';
export { COSINE_ROUNDING, cosineSimilarity } from './vector-memory/cosine-similarity.js';
export {
  type GraphSettings,
  NEIGHBOUR_GRAPHS,
  type NeighbourGraph,
  type NeighbourGraphs,
} from './vector-memory/neighbour-graph.js';
export { type VectorIndexSettings, VectorMemory, type VectorMemoryLimits } from './vector-memory/vector-memory.js';
