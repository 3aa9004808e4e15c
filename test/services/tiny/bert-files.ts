const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const TOKENS = { unk_token: '[UNK]', sep_token: '[SEP]', pad_token: '[PAD]', cls_token: '[CLS]', mask_token: '[MASK]' };
const FLAGS = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const step = (kind: string, id: string, type: number) => ({ [kind]: { id, type_id: type } });

/** The vocabulary of a model that knows some words: their ids are their positions. */
export const vocabularyOf = (words: readonly string[]): readonly string[] => [...SPECIAL, ...words];

/** The files of a BERT model: whole words in lower case, `[CLS] a [SEP]`, and of a pair `[CLS] a [SEP] b [SEP]`. */
export function bertFiles(vocabulary: readonly string[], config: object, onnx: Buffer): ReadonlyMap<string, Buffer> {
  const special = (token: string) => ({ [token]: { id: token, ids: [vocabulary.indexOf(token)], tokens: [token] } });
  const single = [step('SpecialToken', '[CLS]', 0), step('Sequence', 'A', 0), step('SpecialToken', '[SEP]', 0)];
  const pair = [...single, step('Sequence', 'B', 1), step('SpecialToken', '[SEP]', 1)];
  const special_tokens = { ...special('[CLS]'), ...special('[SEP]') };
  return new Map([
    ['config.json', json({ model_type: 'bert', vocab_size: vocabulary.length, ...config })],
    ['tokenizer_config.json', json({ tokenizer_class: 'BertTokenizer', model_max_length: 512, ...TOKENS })],
    [
      'tokenizer.json',
      json({
        version: '1.0',
        truncation: null,
        padding: null,
        added_tokens: SPECIAL.map((content, id) => Object.assign({ id, content }, FLAGS)),
        normalizer: {
          type: 'BertNormalizer',
          clean_text: true,
          handle_chinese_chars: true,
          strip_accents: null,
          lowercase: true,
        },
        pre_tokenizer: { type: 'BertPreTokenizer' },
        post_processor: { type: 'TemplateProcessing', single, pair, special_tokens },
        decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
        model: {
          type: 'WordPiece',
          unk_token: '[UNK]',
          continuing_subword_prefix: '##',
          max_input_chars_per_word: 100,
          vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
        },
      }),
    ],
    ['onnx/model.onnx', onnx],
  ]);
}
