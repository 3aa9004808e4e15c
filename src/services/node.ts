/**
 * What of this room needs Node: memories in files, and the packages of models and indexes.
 *
 * @module
 */

export { TransformersCrossEncoders } from './cross-encoder/transformers-cross-encoder.js';
export { TransformersProvider } from './embedder/transformers-embedder.js';
export { OpenAiModels } from './language-model/openai-model.js';
export { MemoryFile } from './memory-file/memory-file.js';
export { OnnxRuntime } from './onnx/onnx-runtime.js';
export { replaceMemoryFiles } from './memory-file/replace-memory-files.js';
export { traceChannels } from './trace-channels.js';
export { UsearchGraphs } from './vector-memory/usearch-graphs.js';
