import { importOptional, type OptionalPackage } from '../optional-package.js';
import type { FetchHolder } from './fetch-interceptor.js';

/** Loads a part of a model. */
export interface PretrainedLoader<T extends object = object> {
  from_pretrained(model: string, options: object): Promise<T>;
}

/** Numbers by rows and columns. */
export interface Tensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

/** Embeds one text, without copying the result. */
export type Extractor = (
  text: string,
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<Pick<Tensor, 'data'>>;

/** Makes the input of a model of a text, or of a pair of texts. */
export type Tokenizer = (text: string, options: { readonly text_pair: string; readonly truncation: true }) => object;

/** Gives the numbers of each label. */
export type Classifier = (input: object) => Promise<{ readonly logits?: Tensor }>;

/** The part of `@huggingface/transformers` that is used: the package, and with it its types, may be missing. */
export interface TransformersLibrary {
  readonly env: FetchHolder & { readonly remoteHost: string };
  readonly AutoConfig: PretrainedLoader;
  readonly AutoTokenizer: PretrainedLoader<Tokenizer>;
  readonly AutoModel: PretrainedLoader;
  readonly AutoModelForSequenceClassification: PretrainedLoader<Classifier>;
  readonly FeatureExtractionPipeline: new (parts: { task: string; tokenizer: object; model: object }) => Extractor;
}

const library = (neededBy: string): OptionalPackage<TransformersLibrary> => ({
  name: '@huggingface/transformers',
  neededBy,
  part: 'FeatureExtractionPipeline',
  isLibrary: (module): module is TransformersLibrary =>
    typeof module === 'object' && module !== null && 'FeatureExtractionPipeline' in module && 'env' in module,
});

/**
 * Imports the package, which takes tenths of a second: only when a model is asked.
 *
 * @param neededBy what needs it, as messages begin
 * @throws OptionalPackageError
 */
export const importTransformers = (neededBy: string, load: () => Promise<unknown>): Promise<TransformersLibrary> =>
  importOptional(library(neededBy), load);
