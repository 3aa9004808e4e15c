import * as z from 'zod';
import { type ServiceToken, serviceToken } from '../contract/index.js';
import { describeValue } from '../diagnostics/index.js';
import { duration, filePath, outside, serviceOptions } from '../expression/index.js';

/** One request to a reranker. */
export interface RerankRequest {
  readonly query: string;
  readonly documents: readonly string[];
}

/** One model that says how relevant documents are to a query. */
export interface Reranker {
  /** What its scores depend on, in messages and explanations: the model and its endpoint. */
  readonly name: string;
  /**
   * Asks once.
   *
   * @returns a score of each document, in their order; undefined of one that it gave none for
   * @throws Error where it does not answer, or not so that its answer can be used, an `EndpointError` where asking again
   *   may help; the abort's reason when that came first
   */
  rerank(request: RerankRequest, abort: AbortSignal): Promise<readonly (number | undefined)[]>;
}

/** A profile's settings of a reranker. */
export interface RerankerSettings {
  /** The address that requests are sent to. */
  readonly url?: string | undefined;
  readonly model?: string | undefined;
  /** The environment variable that holds the key; none is sent where none is named. */
  readonly keyEnv?: string | undefined;
  /** What the endpoint calls the list of texts. */
  readonly documents: 'documents' | 'texts';
  /** The milliseconds that one request may take. */
  readonly timeout: number;
  /** Further fields of the request. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Finds rerankers by a profile's settings. */
export interface Rerankers {
  /**
   * Sends no request.
   *
   * @throws Error where the settings lack what this one needs
   */
  open(settings: RerankerSettings): Reranker;
}

/** The token for units that ask a reranker. Bind another to replace the client: a local model, or one with its own client. */
export const RERANKERS: ServiceToken<Rerankers> = serviceToken<Rerankers>('rerankers');

/** One result of a reranker, which may lie. */
interface IndexedScore {
  readonly index: unknown;
  readonly score: unknown;
}

/**
 * The scores of documents by the results that name them.
 *
 * @param size of how many documents
 * @returns a score of each document, undefined of one without; or a message, which begins with a verb, where a result
 *   contradicts another or the request: then none of them is to be relied on
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
  /** The model, by the name its library knows it by. */
  readonly name: string;
  /** The type of the model's numbers: `fp32`, `q8` …; the library's default when not given. */
  readonly dtype?: string | undefined;
  /** An absolute path: a folder of models, used instead of the network. */
  readonly folder?: string | undefined;
  /** The milliseconds without any data after which a load fails. */
  readonly timeout?: number | undefined;
  /** Settings that only the library has. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Makes cross-encoders: models that read a query and a text together. */
export interface CrossEncoders {
  /**
   * Gives the same cross-encoder for the same settings. Loads nothing: the first text does. Its scores are logits, of any
   * sign; a text has the same one whatever it is scored with.
   *
   * @throws Error where a setting is not what it should be
   */
  open(settings: CrossEncoderSettings): Reranker;
}

/** The token for units that ask a cross-encoder: `@inject(CROSS_ENCODERS)`. */
export const CROSS_ENCODERS: ServiceToken<CrossEncoders> = serviceToken<CrossEncoders>('cross encoders');

const settings = z.strictObject({
  name: z.string().min(1).describe('The model, as the hub names it, or the folder.'),
  dtype: z.string().min(1).optional().describe('The type of the model’s numbers: fp32, fp16, q8, q4 and others.'),
  folder: filePath()
    .optional()
    .describe('A folder of models, from this profile’s folder; nothing is then asked from the network.'),
  timeout: duration().optional().describe('How long a load may be silent before it fails.'),
  options: serviceOptions().optional().describe('What only its library knows: remote_host, cache_dir, revision.'),
});

/** A param that chooses a cross-encoder: its name, or a map of its settings. */
export const crossEncoderParam = () =>
  outside('model', z.union([z.string().min(1), settings]), () => CROSS_ENCODERS)
    .transform((value): CrossEncoderSettings => (typeof value === 'string' ? { name: value } : value))
    .describe(
      'The cross-encoder: its name on the hub, such as Xenova/ms-marco-MiniLM-L-6-v2, or a map: name, dtype, folder, timeout, options.',
    );
