import type { Context } from '../../contract/index.js';
import type { CompiledProfile } from '../../engine/compiled-profile.js';
import type { Pipeline } from '../../pipeline.js';
import type { RankOptions } from '../../ranking/rank-options.js';
import type { Ranking } from '../../ranking/ranking.js';
import type { Io } from '../terminal/io.js';
import { usageError } from '../terminal/report-failure.js';
import { loadCandidates } from './load-candidates.js';
import type { CandidateOptions, SessionOptions } from './options.js';

/** A profile that is ready to run, and the context that it runs in. */
export interface CliSession {
  /** As it was named: a preset, or a path. */
  readonly profile: string;
  readonly compiled: CompiledProfile;
  readonly pipeline: Pipeline<object>;
  readonly context: Context;
}

/** Loads the profile and the context. */
export async function openCliSession(
  verb: string,
  { profile, context, now }: SessionOptions,
  { progress }: Pick<Io, 'progress'> = {},
): Promise<CliSession> {
  // Not commander's to require: it would say this before it says that --porfile is not known.
  if (profile === undefined) throw usageError('--profile is missing', `assize ${verb} --profile PRESET_OR_PATH FILE`);
  const engine = await import('../lazy-imports.js');
  const compiled = await engine.createCompiledProfile(profile, progress && { progress });
  const pipeline = new engine.Pipeline<object>(compiled);
  return { profile, compiled, pipeline, context: await engine.readContext(context, now) };
}

/** Ranks, and tells where in the context's file a problem is that is the context's. */
export async function rankInSession(
  { pipeline, context }: CliSession,
  candidates: readonly object[] | undefined,
  options: RankOptions = {},
): Promise<Ranking<object>> {
  const { locateContextProblems } = await import('../lazy-imports.js');
  return pipeline.rank(candidates, context, options).catch((error: unknown) => {
    throw locateContextProblems(context, error);
  });
}

/** Ranks the candidates that are given, or those that the profile makes. */
export async function rankInput(
  session: CliSession,
  file: string | undefined,
  { budget, prune = true, ...options }: CandidateOptions & Pick<RankOptions, 'budget' | 'prune'>,
  io: Io,
): Promise<Ranking<object>> {
  return rankInSession(session, await loadCandidates(session.pipeline, file, options, io), { budget, prune });
}
