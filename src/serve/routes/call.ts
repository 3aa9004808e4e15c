import type { Context } from '../../contract/index.js';
import type { Ranking, RankOptions } from '../../ranking/index.js';
import type { Caller } from '../http/access.js';
import { tooLarge } from '../http/request-error.js';
import type { ServerParts } from '../http/server-parts.js';
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
interface RankRequest extends Omit<RankOptions, 'abort' | 'turns'> {
  readonly profile: string;
  readonly candidates: readonly object[] | undefined;
  readonly context: Context | undefined;
}

/**
 * Ranks what a request brings. The pipeline is taken when the run begins, and never again: an answer is of one version of the profile.
 *
 * @throws AssizeError as `rank` does; RequestError where there are too many candidates
 */
export async function rankFor(
  { server, caller, signal }: Call,
  { profile, candidates, context, ...options }: RankRequest,
): Promise<Ranking<object>> {
  const { profiles, metrics, limits } = server;
  checkCount(candidates?.length ?? 0, limits.candidates);
  const served = profiles.find(profile, caller.tenant);
  const ranking = await profiles
    .pipeline(profile, caller.tenant)
    .rank(candidates, context, { ...options, abort: signal });
  const { refused, degraded } = ranking;
  const failures = degraded.reduce((sum, { count }) => sum + count, 0);
  metrics.run(served.name, { candidates: candidates?.length ?? 0, refused: refused.length, degraded: failures });
  return ranking;
}

/** `rankFor`, for requests that a shadow of the profile ranks, too. */
export async function rankWithShadow(call: Call, request: RankRequest): Promise<Ranking<object>> {
  const ranking = await rankFor(call, request);
  void rankShadow(call, request, ranking);
  return ranking;
}

/** @throws RequestError (ASZ593) */
export function checkCount(count: number, most: number): void {
  if (count > most) throw tooLarge(`the request has ${count} candidates; at most ${most} are ranked at once`);
}
