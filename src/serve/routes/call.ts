import { createPipeline, type PipelineOptions } from '../../pipeline/node.js';
import type { Context } from '../../sdk/index.js';
import { AssizeError } from '../../base/index.js';
import type { RankOptions, Ranking } from '../../ranking/index.js';
import type { InlineProfile } from '../http/envelopes.js';
import type { ServeLimits } from '../http/limits.js';
import { malformed, RequestError, tooLarge } from '../http/request-error.js';
import type { ServedPipeline } from '../profiles/served-profile.js';

/** What is answered: a value as JSON, a text of JSON, or lines as they come. */
export type Answer =
  | { readonly json: object }
  /** As text, or encoded already. */
  | { readonly text: string | Uint8Array<ArrayBuffer> }
  /** Each line is JSON, with its end. */
  | { readonly lines: AsyncIterable<string> };

/** The pipeline of a request, and what counts it. */
export interface TakenPipeline {
  readonly pipeline: ServedPipeline;
  readonly name: string;
}

/** What is counted of a run. */
export interface RunCounts {
  /** The profile. */
  readonly name: string;
  readonly candidates: number;
  readonly refused: number;
  /** Failures that did not fail it. */
  readonly degraded: number;
}

/** One request that has its turn, in whatever thread. */
export interface Call {
  readonly limits: Pick<ServeLimits, 'candidates' | 'detailed'>;
  /** Reaches the scorers. */
  readonly signal: AbortSignal;
  /** Whether the client reads lines. */
  readonly wantsLines: boolean;
  /**
   * Waits for a turn of a part of an answer in lines. Such an answer has no turn while it waits for candidates, or for
   * its client to read.
   *
   * @returns gives the turn back
   */
  readonly takeTurn?: () => Promise<() => void>;
  /**
   * The pipeline that answers now for the profile of a name, or one of the profile that the request brings. It is taken once, when the run begins:
   * an answer is of one version of the profile.
   *
   * @returns a promise only where there is something to wait for
   * @throws AssizeError where there is none; RequestError where a profile that is brought is not allowed, or broken
   */
  readonly takePipeline: (profile: string | InlineProfile) => TakenPipeline | Promise<TakenPipeline>;
  /** Counts a run. */
  readonly ran: (counts: RunCounts) => void;
  /** Hears of a ranking that a shadow of its profile may rank, too. */
  readonly ranked?: (profile: string, request: RankRequest, ranking: Ranking<object>) => void;
}

/** What a request ranks. */
export interface RankRequest extends Omit<RankOptions, 'signal' | 'turns'> {
  readonly candidates: readonly object[] | undefined;
  readonly context: Context | undefined;
}

/**
 * A pipeline of the profile that a request brings.
 *
 * @param options undefined where no request may bring one
 */
export async function inlinePipeline(
  profile: InlineProfile,
  options: PipelineOptions | undefined,
): Promise<TakenPipeline> {
  if (!options)
    throw malformed('expected the name of a profile: this server takes none from requests', '--inline allows it');
  try {
    return { name: 'inline', pipeline: await createPipeline<object>(profile, { ...options, trust: 'none' }) };
  } catch (error) {
    // It is the caller's, who can mend it.
    throw error instanceof AssizeError ? new RequestError(400, error.problems) : error;
  }
}

/**
 * Ranks what a request brings by the profile that it names or brings.
 *
 * @throws AssizeError as `rank` does; RequestError where there are too many candidates
 */
export async function rankFor(
  call: Call,
  { profile, ...request }: RankRequest & { readonly profile: string | InlineProfile },
): Promise<Ranking<object>> {
  checkCount(request.candidates?.length ?? 0, call.limits.candidates);
  const taken = call.takePipeline(profile);
  return rankBy(taken instanceof Promise ? await taken : taken, request, call);
}

/** Ranks by a pipeline that was taken. */
export async function rankBy(
  { pipeline, name }: TakenPipeline,
  { candidates, context, ...options }: RankRequest,
  { signal, ran }: Call,
): Promise<Ranking<object>> {
  const ranking = await pipeline.rank(candidates, context, { ...options, signal });
  const { refused, degraded } = ranking;
  ran({ name, candidates: candidates?.length ?? 0, refused: refused.length, degraded: failuresIn(degraded) });
  return ranking;
}

/** How many failures did not fail a run. */
export const failuresIn = (degraded: readonly { readonly count: number }[]): number =>
  degraded.reduce((sum, { count }) => sum + count, 0);

/** `rankFor`, for requests that a shadow of the profile ranks, too. */
export async function rankWithShadow(
  call: Call,
  request: RankRequest & { readonly profile: string | InlineProfile },
): Promise<Ranking<object>> {
  const ranking = await rankFor(call, request);
  const { profile, ...rest } = request;
  if (typeof profile === 'string') call.ranked?.(profile, rest, ranking);
  return ranking;
}

/** @throws RequestError (ASZ593) */
export function checkCount(count: number, most: number): void {
  if (count > most) throw tooLarge(`the request has ${count} candidates; at most ${most} are ranked at once`);
}
