import { checkOptions, type OptionTypes, toAssizeError, describeValue, isObject } from '../base/index.js';
import { isMap } from '../expression/index.js';
import type { Context, Pipeline, RankOptions } from '../index.js';
import type { ServeSpec } from '../profile/index.js';
import type { Ranking } from '../ranking/index.js';

/** The options of a reranker for a framework. */
export interface RerankerOptions {
  /** The context besides the query. */
  readonly context?: Context;
  /** The options of each ranking: `top`, `weights`, `budget` … */
  readonly rank?: Omit<RankOptions, 'signal'>;
  /** Called with the ranking of each call, for explanations, refused and not selected candidates, and failures. */
  readonly onRanking?: (ranking: Ranking<unknown>) => void;
}

const OPTIONS: OptionTypes = { context: 'anything', rank: 'anything', onRanking: 'function' };

/**
 * Checks the pipeline and the options of a reranker.
 *
 * @param maker the name of the function, for messages
 * @throws AssizeError if the pipeline is not one (ASZ626), or an option is unknown (ASZ533)
 */
export function checkReranker(maker: string, pipeline: Pipeline, options: RerankerOptions): void {
  checkOptions(maker, options, OPTIONS);
  if (isObject(pipeline) && 'rank' in pipeline && 'serve' in pipeline) return;
  const message = `${maker} was given ${describeValue(pipeline)}; expected a pipeline`;
  throw toAssizeError([{ code: 'ASZ626', message, hint: `${maker}(await createPipeline(profile))` }]);
}

/** One call of a framework. */
interface RerankCall {
  readonly candidates: readonly object[];
  /** If undefined, the context has no query. */
  readonly query: string | undefined;
  /** The context for this call only. */
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly top?: number | undefined;
}

/** The result of a call. */
interface RankedDocuments {
  readonly documents: readonly RelevantDocument[];
  readonly ranking: Ranking<unknown>;
}

/**
 * Ranks the documents of a framework.
 *
 * @throws AssizeError as `rank` does; the reason of an abort
 */
export async function rankDocuments(
  pipeline: Pipeline,
  { context, rank, onRanking }: RerankerOptions,
  { candidates, query, context: ofCall, signal, top }: RerankCall,
): Promise<RankedDocuments> {
  const ranking = await pipeline.rank(
    candidates,
    { ...context, ...ofCall, ...(query !== undefined && { [pipeline.serve.query]: query }) },
    { ...rank, ...(signal && { signal }), ...(top !== undefined && { top }) },
  );
  onRanking?.(ranking);
  return { documents: relevantDocuments(ranking, pipeline.serve), ranking };
}

/** A selected document. */
export interface RelevantDocument {
  /** Its position in the given documents. */
  readonly index: number;
  /** Its score, by the profile's `serve.relevance`; 0 if only a fallback selected it. */
  readonly relevance: number;
  /** Its score as the profile computes it; the best score for a pinned document; undefined for a fallback. */
  readonly score: number | undefined;
}

/** By `serve.relevance`: the relevance of a score, which grows monotonically with the score. */
const RELEVANCE: Readonly<Record<ServeSpec['relevance'], (score: number, best: number) => number>> = {
  clamp: (score) => Math.min(1, Math.max(0, score)),
  max: (score, best) => (best > 0 ? Math.max(0, score / best) : 0),
  sigmoid: (score) => 1 / (1 + Math.exp(-score)),
  score: (score) => score,
};

/** The documents that a ranking selected, in its order. A candidate that only a fallback generated is not a document. */
export function relevantDocuments(
  { ranked, selected }: Ranking<unknown>,
  { relevance: by }: Pick<ServeSpec, 'relevance'>,
): readonly RelevantDocument[] {
  const best = ranked[0]?.score ?? 1;
  return selected
    .filter(({ index }) => index >= 0)
    .map(({ index, score: own, because }) => {
      const score = own ?? (because === 'pinned' ? best : undefined);
      return { index, score, relevance: score === undefined ? 0 : RELEVANCE[by](score, best) };
    });
}

/** A ranking as the response of a reranker: the selected documents, and what a caller should know about them. */
interface RerankResult {
  readonly documents: readonly RelevantDocument[];
  /** The number of documents whose score was clamped to be a relevance. */
  readonly clamped: number;
  /** The failures that did not fail the run, a line each. */
  readonly failures: readonly string[];
}

/** The documents of a request to a reranker. */
interface DocumentsToRank {
  readonly candidates: readonly object[];
  /** The response, from the ranking of the candidates. */
  readonly resultOf: (ranking: Ranking<unknown>) => RerankResult;
}

/**
 * Prepares the documents of a request to a reranker.
 *
 * @param serve the `serve` of the profile that ranks them
 * @throws AssizeError if a document is neither a text nor an object (ASZ590)
 */
export const documentsToRank = (
  documents: readonly unknown[],
  serve: Pick<ServeSpec, 'text' | 'relevance'>,
): DocumentsToRank => ({
  candidates: documentCandidates(documents, serve.text),
  resultOf: (ranking) => rerankResult(ranking, serve),
});

function rerankResult(ranking: Ranking<unknown>, serve: Pick<ServeSpec, 'relevance'>): RerankResult {
  const documents = relevantDocuments(ranking, serve);
  const isOutside = ({ score = 0 }: RelevantDocument): boolean => score < 0 || score > 1;
  const clamped = serve.relevance === 'clamp' ? documents.filter(isOutside).length : 0;
  return { documents, clamped, failures: failureTexts(ranking) };
}

/** The failures that did not fail the run, a line each. */
export const failureTexts = ({ degraded }: Ranking<unknown>): readonly string[] =>
  degraded.map(({ entry, cause, count }) => `${entry} failed on ${count}: ${cause}`);

/** The field in which most rerankers and retrievers store the text of a document. */
const TEXT = 'text';

/**
 * Documents as candidates of a profile. A text is stored in the profile's field of text. An object is used as it is; if it
 * has only `text`, that field is filled from it.
 *
 * @param field the profile's `serve.text`
 * @throws AssizeError if a document is neither a text nor an object (ASZ590)
 */
export function documentCandidates(documents: readonly unknown[], field: string): readonly object[] {
  return documents.map((document, index) => {
    if (typeof document === 'string') return { [field]: document };
    if (!isMap(document)) {
      const message = `expected a text or an object, found ${describeValue(document)}`;
      throw toAssizeError([{ code: 'ASZ590', message, path: `documents[${index}]` }]);
    }
    const isNamed = Object.hasOwn(document, field) || !Object.hasOwn(document, TEXT);
    return isNamed ? document : { ...document, [field]: document[TEXT] };
  });
}
