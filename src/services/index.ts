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
export { LexicalProvider } from './lexical-embedder.js';
export { TransformersProvider } from './transformers-embedder.js';
export { VectorMemory, type VectorMemoryLimits } from './vector-memory.js';
export { isUnspaced, wordRuns } from './word-runs.js';
