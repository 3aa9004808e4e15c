import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * A real model of a few kilobytes: a table of word vectors and nothing else. The format is ONNX, which is protobuf:
 * a field is its number and wire type, then a varint (0) or a length and bytes (2).
 */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number) => Buffer.from([...varint(field * 8), ...varint(value)]);
const bytes = (field: number, ...parts: readonly Uint8Array[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(body.length)]), body]);
};
const text = (field: number, value: string) => bytes(field, Buffer.from(value));

const [FLOAT, INT64, INT_ATTRIBUTE] = [1, 7, 2];

function valueInfo(field: number, name: string, type: number, dimensions: readonly (string | number)[]): Buffer {
  const dims = dimensions.map((dim) => bytes(1, typeof dim === 'number' ? number(1, dim) : text(2, dim)));
  return bytes(field, text(1, name), bytes(2, bytes(1, number(1, type), bytes(2, ...dims))));
}

function onnx(table: Float32Array, words: number, width: number): Buffer {
  const axis = bytes(5, text(1, 'axis'), number(3, 0), number(20, INT_ATTRIBUTE));
  const gather = bytes(
    1,
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
    axis,
  );
  const values = bytes(9, new Uint8Array(table.buffer));
  const tensor = bytes(5, number(1, words), number(1, width), number(2, FLOAT), text(8, 'table'), values);
  const graph = bytes(
    7,
    gather,
    text(2, 'tiny'),
    tensor,
    valueInfo(11, 'input_ids', INT64, ['batch', 'tokens']),
    valueInfo(11, 'attention_mask', INT64, ['batch', 'tokens']),
    valueInfo(12, 'last_hidden_state', FLOAT, ['batch', 'tokens', width]),
  );
  return Buffer.concat([number(1, 8), graph, bytes(8, text(1, ''), number(2, 13))]);
}

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const TOKENS = { unk_token: '[UNK]', sep_token: '[SEP]', pad_token: '[PAD]', cls_token: '[CLS]', mask_token: '[MASK]' };

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const step = (kind: string, id: string) => ({ [kind]: { id, type_id: 0 } });

/** The width of the tiny model's vectors. */
export const TINY_WIDTH = 16;

/** The files of a model in which the words of one group mean nearly the same. */
export function tinyModel(groups: readonly (readonly string[])[]): ReadonlyMap<string, Buffer> {
  const words = [...SPECIAL, ...groups.flat()];
  const table = new Float32Array(words.length * TINY_WIDTH);
  groups.forEach((group, axis) => {
    group.forEach((word, nth) => {
      const at = words.indexOf(word) * TINY_WIDTH;
      table[at + axis] = 1;
      table[at + TINY_WIDTH - 1 - nth] = 0.2;
    });
  });
  const special = (token: string) => ({ [token]: { id: token, ids: [words.indexOf(token)], tokens: [token] } });
  const single = [step('SpecialToken', '[CLS]'), step('Sequence', 'A'), step('SpecialToken', '[SEP]')];
  const special_tokens = { ...special('[CLS]'), ...special('[SEP]') };
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return new Map([
    [
      'config.json',
      json({ model_type: 'bert', architectures: ['BertModel'], hidden_size: TINY_WIDTH, vocab_size: words.length }),
    ],
    ['tokenizer_config.json', json({ tokenizer_class: 'BertTokenizer', model_max_length: 512, ...TOKENS })],
    [
      'tokenizer.json',
      json({
        version: '1.0',
        truncation: null,
        padding: null,
        added_tokens: SPECIAL.map((content, id) => Object.assign({ id, content }, flags)),
        normalizer: {
          type: 'BertNormalizer',
          clean_text: true,
          handle_chinese_chars: true,
          strip_accents: null,
          lowercase: true,
        },
        pre_tokenizer: { type: 'BertPreTokenizer' },
        post_processor: { type: 'TemplateProcessing', single, pair: single, special_tokens },
        decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
        model: {
          type: 'WordPiece',
          unk_token: '[UNK]',
          continuing_subword_prefix: '##',
          max_input_chars_per_word: 100,
          vocab: Object.fromEntries(words.map((word, id) => [word, id])),
        },
      }),
    ],
    ['onnx/model.onnx', onnx(table, words.length, TINY_WIDTH)],
  ]);
}

/** Writes a model's files under a folder. */
export function writeModel(folder: string, files: ReadonlyMap<string, Buffer>): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}
