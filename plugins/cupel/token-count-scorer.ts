import {
  abstain,
  type BatchScorer,
  defineScorer,
  describeValue,
  importOptional,
  type OptionalPackage,
  type ParamsOf,
  path,
  paths,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';

/** Counts the tokens of one text. */
type CountTokens = (text: string) => number;

/** The available tokenizers. Models since GPT-4o use o200k_base. */
const ENCODINGS = ['o200k_base', 'o200k_harmony', 'cl100k_base', 'p50k_base', 'r50k_base'] as const;

/** The used part of `gpt-tokenizer`, declared here because the package is optional. */
interface GptTokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

const GPT_TOKENIZER: OptionalPackage<GptTokenizer> = {
  name: 'gpt-tokenizer',
  neededBy: 'counting tokens',
  part: 'countTokens',
  isLibrary: (module): module is GptTokenizer =>
    typeof module === 'object' &&
    module !== null &&
    'countTokens' in module &&
    typeof module.countTokens === 'function',
};

/** Control tokens in a candidate's text are counted as text. */
const NO_SPECIAL_TOKENS: ReadonlySet<string> = new Set();

/**
 * Imports a tokenizer when tokens are counted, since loading its table takes tenths of a second.
 *
 * @param load imports the module; tests replace it to fail
 * @throws OptionalPackageError
 */
export async function importTokenCounter(
  encoding: (typeof ENCODINGS)[number],
  load: (name: string) => Promise<unknown> = (name) => import(/* webpackIgnore: true */ name),
): Promise<CountTokens> {
  const tokenizer = await importOptional(GPT_TOKENIZER, () => load(`gpt-tokenizer/encoding/${encoding}`));
  return (text) => tokenizer.countTokens(text, { disallowedSpecial: NO_SPECIAL_TOKENS });
}

type Params = ParamsOf<typeof TokenCountScorer>;

/**
 * Counts the tokens of a candidate unless a field contains their number. Use it as a measure for `pack.cost`.
 *
 * The tokenizer is imported in the first run in which some candidate lacks the number. Several texts are counted
 * separately.
 */
export class TokenCountScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'The number of tokens of a candidate, from a field or counted.',
    reads: 'params',
    params: z.strictObject({
      field: path('tokens?').describe('The path to the number of tokens if it is already known.'),
      text: paths('content').describe('The path to the text to count if the number is missing.'),
      encoding: z
        .literal(ENCODINGS)
        .default('o200k_base')
        .describe('The tokenizer of the model that will read the text.'),
    }),
    scope: 'candidate',
    reasons: {
      given: '{tokens} tokens, as {field} says',
      counted: '{tokens} tokens of {encoding}',
      absent: 'neither {field} nor {text} is there',
    },
  });

  async prepare({ field, text, encoding }: Params, { candidates }: Run): Promise<Score<unknown>> {
    const missing = candidates.some((candidate) => field(candidate) === undefined);
    const count = missing ? await importTokenCounter(encoding) : undefined;
    const texts = text.map(({ source }) => source).join(', ');
    return (candidate, _index, note) => {
      const given = field(candidate);
      if (given !== undefined) {
        if (typeof given !== 'number')
          throw new TypeError(`${field.source} is ${describeValue(given)}; expected a number`);
        note?.('given', { tokens: given, field: field.source });
        return given;
      }
      const found = text.flatMap((read) => read(candidate) ?? []);
      if (found.length === 0 || !count) return abstain(note, 'absent', { field: field.source, text: texts });
      const tokens = found.reduce<number>((sum, one) => sum + countOf(count, one), 0);
      note?.('counted', { tokens, encoding });
      return tokens;
    };
  }
}

function countOf(count: CountTokens, text: unknown): number {
  if (typeof text !== 'string') throw new TypeError(`a text is ${describeValue(text)}; expected a string`);
  return count(text);
}
