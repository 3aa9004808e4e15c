import { createCompiledProfile } from '../../container.js';
import type { Context } from '../../contract/index.js';
import type { CompiledProfile } from '../../engine/compiled-profile.js';
import { Pipeline } from '../../pipeline.js';
import type { RankOptions } from '../../ranking/rank-options.js';
import type { Ranking } from '../../ranking/ranking.js';
import type { CandidateOptions, SessionOptions } from '../options.js';
import type { Io } from '../terminal/io.js';
import { usageError } from '../terminal/problems.js';
import { loadCandidates } from './candidates.js';
import { locateContextProblems, readContext } from './context.js';

export { checkCandidateFile, readCandidateFile, streamCandidateFile } from './candidates.js';
export { locateContextProblems, readContext } from './context.js';

/** A profile that is ready to run, with the context of the run. */
export interface CliSession {
  /** A preset's name, or a path, as it was written. */
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
  // Not a required option of commander: it would report this before an unknown option such as --porfile.
  if (profile === undefined) throw usageError('--profile is missing', `assize ${verb} --profile PRESET_OR_PATH FILE`);
  const compiled = await createCompiledProfile(profile, progress && { progress });
  return { profile, compiled, pipeline: new Pipeline<object>(compiled), context: await readContext(context, now) };
}

/** Ranks; a problem of the context gets its place in the context's file. */
export async function rankInSession(
  { pipeline, context }: CliSession,
  candidates: readonly object[] | undefined,
  options: RankOptions = {},
): Promise<Ranking<object>> {
  return pipeline.rank(candidates, context, options).catch((error: unknown) => {
    throw locateContextProblems(context, error);
  });
}

/** Ranks the candidates of a file or of standard input, or those that the profile generates. */
export async function rankInput(
  session: CliSession,
  file: string | undefined,
  { budget, prune = true, ...options }: CandidateOptions & Pick<RankOptions, 'budget' | 'prune'>,
  io: Io,
): Promise<Ranking<object>> {
  return rankInSession(session, await loadCandidates(session.pipeline, file, options, io), { budget, prune });
}
