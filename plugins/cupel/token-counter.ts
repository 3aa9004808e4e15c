/** Counts the tokens of one text. */
export type CountTokens = (text: string) => number;

/** The available tokenizers: o200k_base is that of the models since GPT-4o. */
export const ENCODINGS = ['o200k_base', 'o200k_harmony', 'cl100k_base', 'p50k_base', 'r50k_base'] as const;

export type TokenizerEncoding = (typeof ENCODINGS)[number];

/** The part of `gpt-tokenizer` that is used; declared here because the package is optional. */
interface GptTokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

const isGptTokenizer = (module: unknown): module is GptTokenizer =>
  typeof module === 'object' && module !== null && 'countTokens' in module && typeof module.countTokens === 'function';

/** Control tokens that are not allowed in texts: none, since what looks like one in a text is text. */
const NO_SPECIAL_TOKENS: ReadonlySet<string> = new Set();

/**
 * Imports a tokenizer. Loading its table takes tenths of a second, so it is done only where tokens have to be counted.
 *
 * @param load imports the module; a test may make it fail
 * @throws Error that names the package to install where it is missing
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
