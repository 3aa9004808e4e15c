/**
 * The exports of `services` for other modules that need Node.
 *
 * @module
 */

export { FileAnswerFolders, sharedAnswerFolders } from './answers/answer-folder.js';
export { OpenAiModels } from './language-model/openai-model.js';
export type { MemoryOwner } from './memory-file/memory-envelope.js';
export { MemoryFile, type MemoryRead } from './memory-file/memory-file.js';
export { type MemoryChange, type MemoryFiles, MemoryLock } from './memory-file/memory-lock.js';
export { OnnxRuntime } from './onnx-runtime.js';
export { type Follower, followWork, traceChannels } from './trace-channels.js';
export { TransformersCrossEncoders, TransformersProvider } from './transformers/models.js';
export { UsearchGraphs } from './vector-memory/usearch-graphs.js';
