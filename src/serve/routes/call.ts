import { createPipeline } from '../../container.js';
import type { Context } from '../../contract/index.js';
import { AssizeError } from '../../diagnostics/index.js';
import type { Ranking, RankOptions } from '../../ranking/index.js';
import type { Caller } from '../access/index.js';
import type { InlineProfile } from '../http/envelopes.js';
import { malformed, RequestError, tooLarge } from '../http/request-error.js';
import type { ServerParts } from '../http/server-parts.js';
import type { ServedPipeline } from '../profiles/index.js';
import { rankShadow } from './shadow.js';

/** What is answered: a value as JSON, a text, or lines as they come. */
export type Answer =
  | { readonly json: object }
  | { readonly text: string }
  /** Each line is JSON, with its end. */
  | { readonly lines: AsyncIterable<string> };

/** One request that has its turn. */
export interface Call {
  readonly server: ServerParts;
  readonly caller: Caller;
  /** Reaches the scorers. */
  readonly signal: AbortSignal;
  /** Whether the client reads lines. */
  readonly wantsLines: boolean;
}

/** What a request ranks. */
export interface RankRequest extends Omit<RankOptions, 'abort' | 'turns'> {
  readonly profile: string | InlineProfile;
  readonly candidates: readonly object[] | undefined;
  readonly context: Context | undefined;
}

/** The pipeline of a request, and what counts it. */
export interface TakenPipeline {
  readonly pipeline: ServedPipeline;
  readonly name: string;
}

/**
 * The pipeline that answers a request: the one that answers now for the profile of a name, or one of the profile that it brings. It is taken
 * when the run begins, and never again: an answer is of one version of the profile.
 *
 * @returns a promise only where the request brings the profile
 * @throws AssizeError where there is none; RequestError where a profile that is brought is not allowed, or broken
 */
export function takePipeline(
  { server, caller }: Pick<Call, 'server' | 'caller'>,
  profile: string | InlineProfile,
): TakenPipeline | Promise<TakenPipeline> {
  if (typeof profile !== 'string') return inlinePipeline(profile, server);
  const { name } = server.profiles.find(profile, caller.tenant);
  return { name, pipeline: server.profiles.pipeline(profile, caller.tenant) };
}

async function inlinePipeline(profile: InlineProfile, { inline }: ServerParts): Promise<TakenPipeline> {
  if (!inline)
    throw malformed('expected the name of a profile: this server takes none from requests', '--inline allows it');
  try {
    return { name: 'inline', pipeline: await createPipeline<object>(profile, { ...inline, trust: 'none' }) };
  } catch (error) {
    // It is the caller's, who can mend it.
    throw error instanceof AssizeError ? new RequestError(400, error.problems) : error;
  }
}

/**
 * Ranks what a request brings.
 *
 * @throws AssizeError as `rank` does; RequestError where there are too many candidates
 */
export async function rankFor(call: Call, { profile, candidates, ...rest }: RankRequest): Promise<Ranking<object>> {
  const { server, signal } = call;
  const { context, ...options } = rest;
  checkCount(candidates?.length ?? 0, server.limits.candidates);
  const taken = takePipeline(call, profile);
  const { pipeline, name } = taken instanceof Promise ? await taken : taken;
  const ranking = await pipeline.rank(candidates, context, { ...options, abort: signal });
  const { refused, degraded } = ranking;
  const failures = degraded.reduce((sum, { count }) => sum + count, 0);
  server.metrics.run(name, { candidates: candidates?.length ?? 0, refused: refused.length, degraded: failures });
  return ranking;
}

/** `rankFor`, for requests that a shadow of the profile ranks, too. */
export async function rankWithShadow(call: Call, request: RankRequest): Promise<Ranking<object>> {
  const ranking = await rankFor(call, request);
  const { profile } = request;
  if (typeof profile === 'string') void rankShadow(call, { ...request, profile }, ranking);
  return ranking;
}

/** @throws RequestError (ASZ593) */
export function checkCount(count: number, most: number): void {
  if (count > most) throw tooLarge(`the request has ${count} candidates; at most ${most} are ranked at once`);
}
