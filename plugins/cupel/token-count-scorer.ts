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
} from '../../src/sdk.js';

/** Counts the tokens of one text. */
type CountTokens = (text: string) => number;

/** The available tokenizers: o200k_base is that of the models since GPT-4o. */
const ENCODINGS = ['o200k_base', 'o200k_harmony', 'cl100k_base', 'p50k_base', 'r50k_base'] as const;

type TokenizerEncoding = (typeof ENCODINGS)[number];

/** The part of `gpt-tokenizer` that is used; declared here because the package is optional. */
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

/** What looks like a control token in a candidate's text is text. */
const NO_SPECIAL_TOKENS: ReadonlySet<string> = new Set();

/**
 * Imports a tokenizer, whose table takes tenths of a second: only when tokens are counted.
 *
 * @param load imports the module; a test may fail to
 * @throws OptionalPackageError
 */
export async function importTokenCounter(
  encoding: TokenizerEncoding,
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<CountTokens> {
  const tokenizer = await importOptional(GPT_TOKENIZER, () => load(`gpt-tokenizer/encoding/${encoding}`));
  return (text) => tokenizer.countTokens(text, { disallowedSpecial: NO_SPECIAL_TOKENS });
}

type Params = ParamsOf<typeof TokenCountScorer>;

/**
 * Counts the tokens of a candidate, unless a field states their number. A measure for `pack.cost`.
 *
 * The tokenizer is imported for the first run in which some candidate lacks its number. Several texts are counted one
 * by one.
 */
export class TokenCountScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'How many tokens a candidate has: as it says itself, else counted.',
    reads: 'params',
    params: z.strictObject({
      field: path('tokens?').describe('The path to the number, where it was counted before.'),
      text: paths('content').describe('What is counted where the number is missing.'),
      encoding: z
        .literal(ENCODINGS)
        .default('o200k_base')
        .describe('The tokenizer: that of the model that will read it.'),
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
