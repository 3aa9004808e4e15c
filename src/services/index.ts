export { CLOCK, type Clock, systemClock } from './clock.js';
export {
  EMBEDDERS,
  type Embedded,
  type Embedder,
  type EmbedderProvider,
  EmbedderRegistry,
  type EmbedderSettings,
  type Embedders,
  embedderToken,
} from './embedder/embedder.js';
export { embedderParam } from './embedder/embedder-param.js';
export { LexicalProvider } from './embedder/lexical-embedder.js';
export { TransformersProvider } from './embedder/transformers-embedder.js';
export { answerJson } from './language-model/answer-json.js';
export { answerSchema } from './language-model/answer-schema.js';
export {
  type Answer,
  type JsonSchema,
  LANGUAGE_MODELS,
  type LanguageModel,
  type LanguageModelSettings,
  type LanguageModels,
  type Question,
} from './language-model/language-model.js';
export { languageModelParam } from './language-model/language-model-param.js';
export { OpenAiModels } from './language-model/openai-models.js';
export { estimateTokens } from './language-model/token-budget.js';
export type { MemoryOwner } from './memory/memory-envelope.js';
export { MemoryFile, replaceAll } from './memory/memory-file.js';
export {
  type GraphSettings,
  NEIGHBOUR_GRAPHS,
  type NeighbourGraph,
  type NeighbourGraphs,
} from './memory/neighbour-graph.js';
export { UsearchGraphs } from './memory/usearch-graphs.js';
export { type VectorIndexSettings, VectorMemory, type VectorMemoryLimits } from './memory/vector-memory.js';
export { PROGRESS, type Progress, type ProgressStep, silent } from './progress.js';
export { isUnspaced, wordRuns } from './word-runs.js';
