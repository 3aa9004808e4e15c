/**
 * The exports of `services` for other modules.
 *
 * @module
 */

export {
  ANSWER_FOLDERS,
  AnswerCache,
  type AnswerFolders,
  type AnswerStore,
  type CallBudget,
  noAnswerFolders,
} from './answers/answer-store.js';
export {
  EmbedderRegistry,
  EMBEDDING_CACHE,
  EmbeddingCache,
  type EmbeddingCacheOptions,
  type EmbeddingCounts,
  sharedEmbeddings,
  type Embedder,
  embedderParam,
  type EmbedderProvider,
  EMBEDDERS,
  type Embedders,
  type EmbedderSettings,
  embedderToken,
  type Embeddings,
} from './embedder/embedder-registry.js';
export { LexicalProvider } from './embedder/lexical-embedder.js';
export { type Clock, CLOCK, noProgress, noTracer, PROGRESS, systemClock, traced, TRACER } from './host-services.js';
export { estimateTokens, quoteExternalText } from './language-model/chat-completion.js';
export {
  answerSchema,
  type AnswerSchema,
  LANGUAGE_MODELS,
  type LanguageModel,
  type LanguageModelAnswer,
  languageModelParam,
  type LanguageModelQuestion,
  type LanguageModels,
  type LanguageModelSettings,
} from './language-model/language-model.js';
export { ONNX_MODELS, type OnnxModel, type OnnxModels, type OnnxOutput } from './onnx-models.js';
export { hasParts, importOptional, type OptionalPackage, OptionalPackageError, rethrow } from './optional-package.js';
export { abortable, boundedFetch, EndpointError, keyRedactor, type Retry, retryAfterOf } from './requests.js';
export {
  CROSS_ENCODERS,
  crossEncoderParam,
  type CrossEncoders,
  type CrossEncoderSettings,
  type Reranker,
  RERANKERS,
  type Rerankers,
  type RerankerSettings,
  type RerankRequest,
  scoresByIndex,
} from './reranker.js';
export { COSINE_ROUNDING, cosineSimilarity } from './vector-memory/vector-block.js';
export {
  type GraphSettings,
  NEIGHBOUR_GRAPHS,
  type NeighbourGraph,
  type NeighbourGraphs,
} from './vector-memory/vector-index.js';
export { type VectorIndexSettings, VectorMemory, type VectorMemoryLimits } from './vector-memory/vector-memory.js';
