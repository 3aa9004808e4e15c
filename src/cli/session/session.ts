import type { Context } from '../../contract/index.js';
import type { Edition } from '../../pipeline/edition.js';
import type { Pipeline } from '../../pipeline/pipeline.js';
import type { RankOptions } from '../../pipeline/rank-options.js';
import type { Ranking } from '../../pipeline/ranking.js';
import { usage } from '../terminal/exit.js';
import type { Io } from '../terminal/io.js';
import { candidatesOf } from './candidates.js';
import type { CandidateOptions, SessionOptions } from './options.js';

/** A profile that is ready to run, and the context that it runs in. */
export interface Session {
  /** As it was named: a preset, or a path. */
  readonly profile: string;
  readonly edition: Edition;
  readonly pipeline: Pipeline<object>;
  readonly context: Context;
}

/** Loads the profile and the context. */
export async function openSession(
  verb: string,
  { profile, context, now }: SessionOptions,
  { progress }: Pick<Io, 'progress'> = {},
): Promise<Session> {
  // Not commander's to require: it would say this before it says that --porfile is not known.
  if (profile === undefined) throw usage('--profile is missing', `assize ${verb} --profile PRESET_OR_PATH FILE`);
  const engine = await import('../engine.js');
  const edition = await engine.createEdition(profile, progress && { progress });
  const pipeline = new engine.Pipeline<object>(edition);
  return { profile, edition, pipeline, context: await engine.readContext(context, now) };
}

/** Ranks, and tells where in the context's file a problem is that is the context's. */
export async function rankIn(
  { pipeline, context }: Session,
  candidates: readonly object[] | undefined,
  options: RankOptions = {},
): Promise<Ranking<object>> {
  const { placedIn } = await import('../engine.js');
  return pipeline.rank(candidates, context, options).catch((error: unknown) => {
    throw placedIn(context, error);
  });
}

/** Ranks the candidates that are given, or those that the profile makes. */
export async function rankGiven(
  session: Session,
  file: string | undefined,
  { budget, spare = true, ...options }: CandidateOptions & Pick<RankOptions, 'budget' | 'spare'>,
  io: Io,
): Promise<Ranking<object>> {
  return rankIn(session, await candidatesOf(session.pipeline, file, options, io), { budget, spare });
}
