/** Counts the tokens of one text. */
export type CountTokens = (text: string) => number;

/** The tokenizers there are: o200k_base is that of the models since GPT-4o. */
export const ENCODINGS = ['o200k_base', 'o200k_harmony', 'cl100k_base', 'p50k_base', 'r50k_base'] as const;

export type TokenizerEncoding = (typeof ENCODINGS)[number];

/** The part of `gpt-tokenizer` that is used; written down because the package is optional. */
interface GptTokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

const isGptTokenizer = (module: unknown): module is GptTokenizer =>
  typeof module === 'object' && module !== null && 'countTokens' in module && typeof module.countTokens === 'function';

/** What looks like a control token in somebody's text is text. */
const NO_SPECIAL_TOKENS: ReadonlySet<string> = new Set();

/**
 * Imports a tokenizer: its table takes tenths of a second, so nobody pays for it who counts nothing.
 *
 * @param load imports the module; a test may fail to
 * @throws Error that says what to install when it is missing
 */
export async function importTokenCounter(
  encoding: TokenizerEncoding,
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<CountTokens> {
  const name = `gpt-tokenizer/encoding/${encoding}`;
  const module = await load(name).catch((cause: unknown) => {
    throw new Error(importFailure(cause), { cause });
  });
  if (!isGptTokenizer(module)) throw new Error('gpt-tokenizer is there, but of a version that has no countTokens');
  return (text) => module.countTokens(text, { disallowedSpecial: NO_SPECIAL_TOKENS });
}

const importFailure = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    ? 'counting tokens needs a package that is not installed: npm install gpt-tokenizer'
    : `gpt-tokenizer cannot be imported: ${cause instanceof Error ? cause.message : String(cause)}`;
