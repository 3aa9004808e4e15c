import { bertFiles, vocabularyOf } from './bert-files.js';
import { FLOAT, INT64, onnxModel, operation, tensor } from './onnx.js';

/**
 * The files of a real cross-encoder of a few kilobytes: the logit of a pair of texts is the number of pairs of words of
 * one group, minus 1. Tokens of type 0 are the query's, those of type 1 the text's.
 *
 * @param labels the number of equal logits: one for a ranking model
 */
export function tinyCrossEncoder(groups: readonly (readonly string[])[], labels = 1): ReadonlyMap<string, Buffer> {
  const words = vocabularyOf(groups.flat());
  const width = groups.length;
  const table = new Float32Array(words.length * width);
  groups.forEach((group, axis) => {
    for (const word of group) table[words.indexOf(word) * width + axis] = 1;
  });
  const onnx = onnxModel({
    operations: [
      operation('Gather', ['table', 'input_ids'], 'tokens', { axis: 0 }),
      operation('Cast', ['token_type_ids'], 'types', { to: FLOAT }),
      operation('Unsqueeze', ['types', 'two'], 'is_text'),
      operation('Mul', ['tokens', 'is_text'], 'text_tokens'),
      operation('ReduceSum', ['tokens', 'one'], 'both', { keepdims: 0 }),
      operation('ReduceSum', ['text_tokens', 'one'], 'text', { keepdims: 0 }),
      operation('Sub', ['both', 'text'], 'query'),
      operation('Mul', ['query', 'text'], 'shared'),
      operation('ReduceSum', ['shared', 'one'], 'pairs', { keepdims: 1 }),
      operation('Sub', ['pairs', 'bias'], 'logits'),
    ],
    constants: [
      tensor('table', [words.length, width], table),
      tensor('one', [1], BigInt64Array.of(1n)),
      tensor('two', [1], BigInt64Array.of(2n)),
      tensor('bias', [labels], new Float32Array(labels).fill(1)),
    ],
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
      name,
      type: INT64,
      dims: ['batch', 'tokens'],
    })),
    output: { name: 'logits', type: FLOAT, dims: ['batch', labels] },
  });
  return bertFiles(words, { architectures: ['BertForSequenceClassification'] }, onnx);
}
