import { importOptional, type OptionalPackage } from '../../src/sdk.js';

/** Counts the tokens of one text. */
export type CountTokens = (text: string) => number;

/** The available tokenizers: o200k_base is that of the models since GPT-4o. */
export const ENCODINGS = ['o200k_base', 'o200k_harmony', 'cl100k_base', 'p50k_base', 'r50k_base'] as const;

export type TokenizerEncoding = (typeof ENCODINGS)[number];

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
