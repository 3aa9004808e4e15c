import { importOptional, type OptionalPackage } from '../optional-package.js';
import type { FetchHolder } from './fetch-interceptor.js';

type PretrainedLoader<T> = { from_pretrained(model: string, options: object): Promise<T> };
type PooledEmbedding = Promise<{ readonly data: ArrayLike<number> }>;

/** Embeds one text, without copying the result. */
export type Extractor = (
  text: string,
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => PooledEmbedding;

/** The part of `@huggingface/transformers` that is used: the package, and with it its types, may be missing. */
export interface TransformersLibrary {
  readonly env: FetchHolder & { readonly remoteHost: string };
  readonly AutoConfig: PretrainedLoader<object>;
  readonly AutoTokenizer: PretrainedLoader<object>;
  readonly AutoModel: PretrainedLoader<object>;
  readonly FeatureExtractionPipeline: new (parts: { task: string; tokenizer: object; model: object }) => Extractor;
}

const TRANSFORMERS: OptionalPackage<TransformersLibrary> = {
  name: '@huggingface/transformers',
  neededBy: 'the embedder transformers',
  part: 'FeatureExtractionPipeline',
  isLibrary: (module): module is TransformersLibrary =>
    typeof module === 'object' && module !== null && 'FeatureExtractionPipeline' in module && 'env' in module,
};

/**
 * Imports the package, which takes tenths of a second: only when something is embedded.
 *
 * @throws OptionalPackageError
 */
export const importTransformers = (load: () => Promise<unknown>): Promise<TransformersLibrary> =>
  importOptional(TRANSFORMERS, load);
