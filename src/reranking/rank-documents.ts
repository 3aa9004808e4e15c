import {
  ANYTHING,
  checkOptions,
  describeValue,
  FUNCTION,
  isObject,
  type OptionTypes,
  toAssizeError,
} from '../diagnostics/index.js';
import type { Context, Pipeline, Ranking, RankOptions } from '../index.js';
import { type RelevantDocument, relevantDocuments } from './relevant-documents.js';

/** What the reranker of a framework may be given besides its pipeline. */
export interface RerankerOptions {
  /** What the context has besides the query. */
  readonly context?: Context;
  /** The options of each ranking: `top`, `weights`, `budget` … */
  readonly rank?: Omit<RankOptions, 'abort'>;
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
  readonly abort?: AbortSignal | undefined;
  readonly top?: number | undefined;
}

/** What a call has come to. */
export interface RankedDocuments {
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
  { candidates, query, context: ofCall, abort, top }: RerankCall,
): Promise<RankedDocuments> {
  const ranking = await pipeline.rank(
    candidates,
    { ...context, ...ofCall, ...(query !== undefined && { [pipeline.serve.query]: query }) },
    { ...rank, ...(abort && { abort }), ...(top !== undefined && { top }) },
  );
  onRanking?.(ranking);
  return { documents: relevantDocuments(ranking, pipeline.serve), ranking };
}
