import {
  AssizeError,
  type Context,
  createPipeline,
  type PipelineOptions,
  type Ranking,
  type RankOptions,
} from 'assize';
import type { InlineProfile } from '../operations.js';
import type { ServeLimits } from '../http/limits.js';
import { malformed, RequestError, tooLarge } from '../http/request-error.js';
import type { ServedPipeline } from '../profiles/served-profile.js';

/** The content of a response: a value as JSON, a text of JSON, or a stream of lines. */
export type Answer =
  | { readonly json: object }
  /** As text, or already encoded. */
  | { readonly text: string | Uint8Array<ArrayBuffer> }
  /** Each line is JSON, with its end. */
  | { readonly lines: AsyncIterable<string> };

/** The pipeline of a request, and the name it is counted under. */
export interface TakenPipeline {
  readonly pipeline: ServedPipeline;
  readonly name: string;
}

/** The counts of a run. */
export interface RunCounts {
  /** The profile. */
  readonly name: string;
  readonly candidates: number;
  readonly refused: number;
  /** Failures that did not fail it. */
  readonly degraded: number;
}

/** A request that has its turn, in any thread. */
export interface Call {
  readonly limits: Pick<ServeLimits, 'candidates' | 'detailed'>;
  /** Passed on to the scorers. */
  readonly signal: AbortSignal;
  /** Whether the client accepts JSON Lines. */
  readonly wantsLines: boolean;
  /**
   * Waits for a turn for a part of a response in lines. Such a response has no turn while it waits for candidates or for
   * its client to read.
   *
   * @returns a function that releases the turn
   */
  readonly takeTurn?: () => Promise<() => void>;
  /**
   * The active pipeline of the profile with this name, or a new one of an inline profile. A run takes it once when it
   * starts, so that a response is based on one version of the profile.
   *
   * @returns a promise only if it has to wait
   * @throws AssizeError if the profile does not exist; RequestError if an inline profile is not allowed, or invalid
   */
  readonly takePipeline: (profile: string | InlineProfile) => TakenPipeline | Promise<TakenPipeline>;
  /** Counts a run. */
  readonly ran: (counts: RunCounts) => void;
  /** Called after a ranking, so that a shadow of its profile can rank the same request. */
  readonly ranked?: (profile: string, request: RankRequest, ranking: Ranking<object>) => void;
}

/** The request for a ranking. */
export interface RankRequest extends Omit<RankOptions, 'signal' | 'turns'> {
  readonly candidates: readonly object[] | undefined;
  readonly context: Context | undefined;
}

/**
 * A pipeline for an inline profile.
 *
 * @param options undefined if inline profiles are not allowed
 */
export async function inlinePipeline(
  profile: InlineProfile,
  options: PipelineOptions | undefined,
): Promise<TakenPipeline> {
  if (!options)
    throw malformed(
      'expected the name of a profile: inline profiles are disabled',
      'start the server with --inline to enable them',
    );
  try {
    return { name: 'inline', pipeline: await createPipeline<object>(profile, { ...options, trust: 'none' }) };
  } catch (error) {
    // The profile is the caller's, who can fix it.
    throw error instanceof AssizeError ? new RequestError(400, error.problems) : error;
  }
}

/** The parts of a request that a ranking needs, as its schema names them. */
interface RequestParts extends Omit<RankRequest, 'minScore' | 'updateMemory' | 'candidates' | 'context'> {
  readonly profile: string | InlineProfile;
  readonly candidates?: readonly object[] | undefined;
  readonly context?: Context | undefined;
  readonly min_score?: number | undefined;
  readonly update_memory?: boolean;
}

/** A parsed request as the options of a ranking: snake_case in JSON, camelCase in TypeScript. */
export const rankRequest = ({
  profile,
  candidates,
  context,
  min_score: minScore,
  update_memory: updateMemory = true,
  ...options
}: RequestParts): RankRequest & { readonly profile: string | InlineProfile } => ({
  profile,
  candidates,
  context,
  minScore,
  updateMemory,
  ...options,
});

/**
 * Ranks the candidates of a request by its named or inline profile.
 *
 * @throws AssizeError as `rank` does; RequestError if there are too many candidates
 */
export async function rankFor(
  call: Call,
  { profile, ...request }: RankRequest & { readonly profile: string | InlineProfile },
): Promise<Ranking<object>> {
  checkCount(request.candidates?.length ?? 0, call.limits.candidates);
  const taken = call.takePipeline(profile);
  return rankBy(taken instanceof Promise ? await taken : taken, request, call);
}

/** Ranks with a taken pipeline. */
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

/** The number of failures that did not fail a run. */
export const failuresIn = (degraded: readonly { readonly count: number }[]): number =>
  degraded.reduce((sum, { count }) => sum + count, 0);

/** `rankFor`, for requests that a shadow of the profile also ranks. */
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
  if (count > most) throw tooLarge(`the request has ${count} candidates, and the limit is ${most}`);
}
