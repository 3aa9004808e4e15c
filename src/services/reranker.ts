import { type ServiceToken, serviceToken } from '../contract/index.js';
import { describeValue } from '../diagnostics/index.js';

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
export interface IndexedScore {
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
