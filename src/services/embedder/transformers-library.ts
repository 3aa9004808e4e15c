import { messageWithCauses, toError } from '../error-message.js';
import type { FetchHolder } from './fetch-interceptor.js';

type PretrainedLoader<T> = { from_pretrained(model: string, options: object): Promise<T> };
type PooledEmbedding = Promise<{ readonly data: ArrayLike<number> }>;

/** Embeds one text, without copying the result. */
export type Extractor = (
  text: string,
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => PooledEmbedding;

/** The part of `@huggingface/transformers` that is used; written down because the package is optional. */
export interface TransformersLibrary {
  readonly env: FetchHolder & { readonly remoteHost: string };
  readonly AutoConfig: PretrainedLoader<object>;
  readonly AutoTokenizer: PretrainedLoader<object>;
  readonly AutoModel: PretrainedLoader<object>;
  readonly FeatureExtractionPipeline: new (parts: { task: string; tokenizer: object; model: object }) => Extractor;
}

const isLibrary = (module: unknown): module is TransformersLibrary =>
  typeof module === 'object' && module !== null && 'FeatureExtractionPipeline' in module && 'env' in module;

/**
 * Imports the package: takes tenths of a second, so nobody pays for it who doesn't embed.
 *
 * @throws Error that says what to install when it is missing
 */
export async function importTransformers(load: () => Promise<unknown>): Promise<TransformersLibrary> {
  const module = await load().catch((cause: unknown) => {
    throw new Error(importFailureMessage(toError(cause)), { cause });
  });
  if (isLibrary(module)) return module;
  throw new Error('@huggingface/transformers is there, but of a version that has no FeatureExtractionPipeline');
}

const importFailureMessage = (cause: Error): string =>
  'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    ? 'the embedder transformers needs a package that is not installed: npm install @huggingface/transformers'
    : `@huggingface/transformers cannot be imported: ${messageWithCauses(cause)}`;
