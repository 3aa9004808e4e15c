export { PROGRESS, type Progress, type ProgressStep, silent } from './progress.js';
export { answerJson } from './answer-json.js';
export { answerSchema } from './answer-schema.js';
export { CLOCK, type Clock, systemClock } from './clock.js';
export {
  EMBEDDERS,
  type Embedder,
  type EmbedderProvider,
  EmbedderRegistry,
  type EmbedderSettings,
  type Embedders,
  embedderToken,
} from './embedder.js';
export { embedderParam } from './embedder-param.js';
export {
  type Answer,
  type JsonSchema,
  LANGUAGE_MODELS,
  type LanguageModel,
  type LanguageModelSettings,
  type LanguageModels,
  type Question,
} from './language-model.js';
export { languageModelParam } from './language-model-param.js';
export { LexicalProvider } from './lexical-embedder.js';
export type { MemoryOwner } from './memory-envelope.js';
export { MemoryFile, replaceAll } from './memory-file.js';
export { OpenAiModels } from './openai-models.js';
export { estimateTokens } from './token-budget.js';
export { TransformersProvider } from './transformers-embedder.js';
export { VectorMemory, type VectorMemoryLimits } from './vector-memory.js';
export { isUnspaced, wordRuns } from './word-runs.js';
