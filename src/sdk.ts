/**
 * For those who write units: everything a pack needs, so that it depends on Assize alone.
 *
 * @module
 */
export { inject, injectable } from 'inversify';
export { z } from 'zod';
export * from './contract/index.js';
export { describeValue } from './expression/describe.js';
export { contextPath, duration, expression, itemPath, path, paths } from './expression/params.js';
export type { PathReader } from './expression/path.js';
export { toMillis } from './expression/time.js';
export {
  type Answer,
  answerSchema,
  CLOCK,
  type Clock,
  EMBEDDERS,
  type Embedder,
  type EmbedderProvider,
  type EmbedderSettings,
  type Embedders,
  embedderParam,
  embedderToken,
  PROGRESS,
  type Progress,
  type ProgressStep,
  estimateTokens,
  isUnspaced,
  type JsonSchema,
  LANGUAGE_MODELS,
  type LanguageModel,
  languageModelParam,
  type LanguageModels,
  type LanguageModelSettings,
  type Question,
  VectorMemory,
  type VectorMemoryLimits,
  wordRuns,
} from './services/index.js';
