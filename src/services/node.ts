/**
 * The services that need Node: memory files, tracing channels, and the packages of models and indexes.
 *
 * @module
 */

export { TransformersCrossEncoders, TransformersProvider } from './transformers/models.js';
export { OpenAiModels } from './language-model/openai-model.js';
export { MemoryFile, replaceMemoryFiles } from './memory-file/memory-file.js';
export { OnnxRuntime } from './onnx-runtime.js';
export { traceChannels } from './trace-channels.js';
export { UsearchGraphs } from './vector-memory/usearch-graphs.js';
