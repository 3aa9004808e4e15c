import * as z from 'zod';
import { type ServiceToken, serviceToken } from '../sdk/index.js';
import { describeValue } from '../base/index.js';
import { filePath, outside, serviceOptions, duration } from '../expression/index.js';

/** One request to a reranker. */
export interface RerankRequest {
  readonly query: string;
  readonly documents: readonly string[];
}

/** A model that scores how relevant documents are to a query. */
export interface Reranker {
  /** The model and its endpoint, for messages and explanations. */
  readonly name: string;
  /**
   * Sends one request, without retries.
   *
   * @returns the score of each document, in their order; undefined for a document without a score
   * @throws Error if there is no usable response, an `EndpointError` if a retry may help; the reason of `abort` if it was
   *   aborted first
   */
  rerank(request: RerankRequest, abort: AbortSignal): Promise<readonly (number | undefined)[]>;
}

/** A profile's settings of a reranker. */
export interface RerankerSettings {
  /** The address that requests are sent to. */
  readonly url?: string | undefined;
  readonly model?: string | undefined;
  /** The environment variable of the key. Without it, requests have no key. */
  readonly keyEnv?: string | undefined;
  /** The endpoint's name for the list of texts. */
  readonly documents: 'documents' | 'texts';
  /** The timeout of one request in milliseconds. */
  readonly timeout: number;
  /** Further fields of the request. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Finds rerankers by a profile's settings. */
export interface Rerankers {
  /**
   * Opens a reranker, without sending a request.
   *
   * @throws Error if a required setting is missing
   */
  open(settings: RerankerSettings): Reranker;
}

/** The token for units that use a reranker. Bind another service to use a local model or another client. */
export const RERANKERS: ServiceToken<Rerankers> = serviceToken<Rerankers>('rerankers');

/** One result of a reranker, not validated. */
interface IndexedScore {
  readonly index: unknown;
  readonly score: unknown;
}

/**
 * Orders results by their documents.
 *
 * @param size the number of documents
 * @returns the score of each document, undefined for a document without a score; or a message that begins with a verb if
 *   a result contradicts another one or the request, because then none of them is reliable
 */
export function scoresByIndex(size: number, results: Iterable<IndexedScore>): readonly (number | undefined)[] | string {
  const scores = Array.from<number | undefined>({ length: size });
  for (const { index, score } of results) {
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= size)
      return `names document ${describeValue(index)}; expected 0 to ${size - 1}`;
    if (scores[index] !== undefined) return `names document ${index} twice`;
    if (typeof score !== 'number' || !Number.isFinite(score))
      return `scores document ${index} with ${describeValue(score)}; expected a number`;
    scores[index] = score;
  }
  return scores;
}

/** A profile's settings of a cross-encoder. */
export interface CrossEncoderSettings {
  /** The model's name in its library. */
  readonly name: string;
  /** The type of the model's numbers: `fp32`, `q8` and others. Defaults to the library's default. */
  readonly dtype?: string | undefined;
  /** The absolute path of a folder of models, which replaces the network. */
  readonly folder?: string | undefined;
  /** The milliseconds without data after which a load fails. */
  readonly timeout?: number | undefined;
  /** Settings of the library. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Makes cross-encoders: models that read a query and a text together. */
export interface CrossEncoders {
  /**
   * Returns the same cross-encoder for the same settings. The first text loads the model. Scores are logits, of any sign. The
   * score of a text does not depend on the other texts.
   *
   * @throws Error if a setting is invalid
   */
  open(settings: CrossEncoderSettings): Reranker;
}

/** The token for units that use a cross-encoder: `@inject(CROSS_ENCODERS)`. */
export const CROSS_ENCODERS: ServiceToken<CrossEncoders> = serviceToken<CrossEncoders>('cross encoders');

const settings = z.strictObject({
  name: z.string().min(1).describe('The name of the model on the hub or in the folder.'),
  dtype: z.string().min(1).optional().describe('The type of the model’s numbers: fp32, fp16, q8, q4 and others.'),
  folder: filePath()
    .optional()
    .describe('A folder of models, relative to the profile. If it is set, nothing is loaded from the network.'),
  timeout: duration().optional().describe('The maximum time without progress while the model loads.'),
  options: serviceOptions()
    .optional()
    .describe('Options that are specific to its library: remote_host, cache_dir, revision.'),
});

/** A param that chooses a cross-encoder: its name, or a map of its settings. */
export const crossEncoderParam = () =>
  outside('model', z.union([z.string().min(1), settings]), () => CROSS_ENCODERS)
    .transform((value): CrossEncoderSettings => (typeof value === 'string' ? { name: value } : value))
    .describe(
      'The cross-encoder: its name on the hub, such as Xenova/ms-marco-MiniLM-L-6-v2, or a map: name, dtype, folder, timeout, options.',
    );
