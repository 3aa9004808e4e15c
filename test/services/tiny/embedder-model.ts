import { bertFiles, vocabularyOf } from './bert-files.js';
import { FLOAT, INT64, onnxModel, operation, tensor } from './onnx.js';

/** The width of the tiny model's vectors. */
export const TINY_WIDTH = 16;

/**
 * The files of a real model of a few kilobytes: only a table of word vectors, in which the words of one group mean
 * nearly the same.
 */
export function tinyModel(groups: readonly (readonly string[])[]): ReadonlyMap<string, Buffer> {
  const words = vocabularyOf(groups.flat());
  const table = new Float32Array(words.length * TINY_WIDTH);
  groups.forEach((group, axis) => {
    group.forEach((word, nth) => {
      const at = words.indexOf(word) * TINY_WIDTH;
      table[at + axis] = 1;
      table[at + TINY_WIDTH - 1 - nth] = 0.2;
    });
  });
  const onnx = onnxModel({
    operations: [operation('Gather', ['table', 'input_ids'], 'last_hidden_state', { axis: 0 })],
    constants: [tensor('table', [words.length, TINY_WIDTH], table)],
    inputs: ['input_ids', 'attention_mask'].map((name) => ({ name, type: INT64, dims: ['batch', 'tokens'] })),
    output: { name: 'last_hidden_state', type: FLOAT, dims: ['batch', 'tokens', TINY_WIDTH] },
  });
  return bertFiles(words, { architectures: ['BertModel'], hidden_size: TINY_WIDTH }, onnx);
}
