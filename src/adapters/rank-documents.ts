import {
  ANYTHING,
  checkOptions,
  FUNCTION,
  type OptionTypes,
  toAssizeError,
  describeValue,
  isObject,
} from '../base/index.js';
import { isMap } from '../expression/index.js';
import type { Context, Pipeline, RankOptions } from '../index.js';
import type { ServeSpec } from '../profile/index.js';
import type { Ranking } from '../ranking/index.js';

/** What the reranker of a framework may be given besides its pipeline. */
export interface RerankerOptions {
  /** What the context has besides the query. */
  readonly context?: Context;
  /** The options of each ranking: `top`, `weights`, `budget` … */
  readonly rank?: Omit<RankOptions, 'signal'>;
  /** Called with the whole ranking of each call: explanations, what was refused and left out, and what failed. */
  readonly onRanking?: (ranking: Ranking<unknown>) => void;
}

const OPTIONS: OptionTypes = { context: ANYTHING, rank: ANYTHING, onRanking: FUNCTION };

/**
 * Checks what the reranker of a framework is made of.
 *
 * @param maker the name of the function, for messages
 * @throws AssizeError where the pipeline is none (ASZ626), or an option is not known (ASZ533)
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
  /** Absent where there is none: the context has then no query. */
  readonly query: string | undefined;
  /** What the context has for this call alone. */
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly top?: number | undefined;
}

/** What a call has come to. */
interface RankedDocuments {
  readonly documents: readonly RelevantDocument[];
  readonly ranking: Ranking<unknown>;
}

/**
 * Ranks what a framework brings.
 *
 * @throws AssizeError as `rank` does; the abort's reason
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

/** A document that was selected. */
export interface RelevantDocument {
  /** Its position in the documents that were given. */
  readonly index: number;
  /** Its score, by the profile's `serve.relevance`; 0 for one that only a fallback selected. */
  readonly relevance: number;
  /** Its score as the profile computes it. A pinned document has the best one. Undefined for a fallback. */
  readonly score: number | undefined;
}

/** By `serve.relevance`: the relevance of a score. It never falls where the score rises. */
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

/** The number of documents whose score was cut to be a relevance. */
export const cutCount = (
  documents: readonly RelevantDocument[],
  { relevance }: Pick<ServeSpec, 'relevance'>,
): number => (relevance === 'clamp' ? documents.filter(({ score = 0 }) => score < 0 || score > 1).length : 0);

/** What failed without failing the run, a line each. */
export const failureTexts = ({ degraded }: Ranking<unknown>): readonly string[] =>
  degraded.map(({ entry, cause, count }) => `${entry} failed on ${count}: ${cause}`);

/** Where most rerankers and retrievers have a document's text. */
const TEXT = 'text';

/**
 * Documents as candidates of a profile: a text becomes the profile's field of text, and an object is one, with that field
 * where it has only `text`.
 *
 * @param field the profile's `serve.text`
 * @throws AssizeError where a document is neither (ASZ590)
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
