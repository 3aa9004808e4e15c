import { createCompiledProfile } from '../../container.js';
import type { Context } from '../../contract/index.js';
import { formatProblem } from '../../diagnostics/format.js';
import type { CompiledProfile } from '../../engine/plan.js';
import { FORMAT_TITLES, type InputFormat } from '../../input/codecs.js';
import { peekStream } from '../../input/peek-stream.js';
import {
  type CandidateSource,
  type ColumnsRead,
  readCandidates,
  streamCandidates,
} from '../../input/read-candidates.js';
import { Pipeline } from '../../pipeline.js';
import type { Trust } from '../../profile/trust.js';
import type { RankOptions } from '../../ranking/rank-options.js';
import type { Ranking } from '../../ranking/ranking.js';
import { overridePlan } from '../../engine/call/override-plan.js';
import { type CandidateOptions, type OverrideOptions, overridesOf, type SessionOptions, trustOf } from '../options.js';
import type { Io } from '../terminal/io.js';
import { noCandidatesError, usageError } from '../terminal/problems.js';
import { locateContextProblems, readContext } from './context.js';

// For verbs that import this file when they run: one import is one file of the bundle.
export { locateContextProblems, readContext };

/** A profile that is ready to run, with the context of the run. */
export interface CliSession {
  /** A preset's name, or a path, as it was written. */
  readonly profile: string;
  readonly trust: Trust;
  readonly compiled: CompiledProfile;
  readonly pipeline: Pipeline<object>;
  readonly context: Context;
}

/** Loads the profile and the context. */
export async function openCliSession(
  verb: string,
  { profile, context, now, ...options }: SessionOptions,
  { progress }: Pick<Io, 'progress'> = {},
): Promise<CliSession> {
  // Not a required option of commander: it would report this before an unknown option such as --porfile.
  if (profile === undefined) throw usageError('--profile is missing', `assize ${verb} --profile PRESET_OR_PATH FILE`);
  const trust = trustOf(options);
  const compiled = await createCompiledProfile(profile, { trust, ...(progress && { progress }) });
  return {
    profile,
    trust,
    compiled,
    pipeline: new Pipeline<object>(compiled),
    context: await readContext(context, now),
  };
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

/** @throws AssizeError where the profile has no use for what the command line says otherwise */
export const checkOverrides = ({ compiled }: CliSession, options: OverrideOptions): void =>
  void overridePlan(compiled.plan, overridesOf(options));

/** Ranks the candidates of a file or of standard input, or those that the profile generates. */
export async function rankInput(
  session: CliSession,
  file: string | undefined,
  { budget, prune = true, ...options }: CandidateOptions & OverrideOptions & Pick<RankOptions, 'budget' | 'prune'>,
  io: Io,
): Promise<Ranking<object>> {
  const overrides = overridesOf(options);
  checkOverrides(session, options); // before anything is read
  const candidates = await loadCandidates(session.pipeline, file, options, io);
  return rankInSession(session, candidates, { budget, prune, ...overrides });
}

/** The ids of the scorers that a ranking with these limits runs on some candidates only. */
export function deferredScorers({ compiled }: CliSession, options: OverrideOptions): readonly string[] {
  const { rerank, pruning } = overridePlan(compiled.plan, overridesOf(options)).profile;
  return rerank?.ask ?? pruning.scorers.map(({ id }) => id);
}

/** Standard input, the listener for progress, and where a warning about an empty input is written. */
type CandidateFileIo = Pick<Io, 'stdin' | 'progress' | 'err'>;

const candidateSource = ({ stdin, progress, err }: CandidateFileIo, columns?: ColumnsRead): CandidateSource => ({
  stdin,
  progress,
  columns,
  warn: (warning) => err.write(`${formatProblem(warning, { colour: err.colour })}\n`),
});

/** Reads the candidates of a file, or of standard input, which is `-`. */
export async function readCandidateFile(
  file: string,
  io: CandidateFileIo,
  format?: InputFormat,
): Promise<readonly object[]> {
  checkCandidateFile(file, format);
  return readCandidates(file, candidateSource(io), format);
}

/**
 * Reads the same candidates one by one.
 *
 * @param columns what is read of a file that is kept by column; all of it when not given
 */
export function streamCandidateFile(
  file: string,
  io: CandidateFileIo,
  format?: InputFormat,
  columns?: ColumnsRead,
): AsyncGenerator<object, void> {
  checkCandidateFile(file, format);
  return streamCandidates(file, candidateSource(io, columns), format);
}

/**
 * Refuses a YAML file among the arguments, which is most probably a profile.
 *
 * @throws AssizeError (ASZ601)
 */
export function checkCandidateFile(file: string, format: InputFormat | undefined): void {
  if (format !== undefined || !/\.ya?ml$/i.test(file)) return;
  throw usageError(`${file} is YAML, and candidates are ${FORMAT_TITLES}`, 'a profile goes behind --profile');
}

/**
 * Reads the candidates of a ranking.
 *
 * @returns undefined where the profile's strategies generate them: with `--generate`, or without any input
 */
async function loadCandidates(
  pipeline: Pipeline<object>,
  file: string | undefined,
  { input, generate }: CandidateOptions,
  io: Io,
): Promise<readonly object[] | undefined> {
  const canGenerate = pipeline.describe().strategies.length > 0;
  const generates = generate === true || (file === undefined && io.interactive);
  if (generates && file !== undefined) throw usageError('there are candidates both from --generate and from a file');
  if (generates && !canGenerate) {
    throw noCandidatesError(`give a file or pipe them in: profile ${pipeline.name} has no strategies`);
  }
  if (generates) return undefined;
  if (file !== undefined || !canGenerate) return readCandidateFile(file ?? '-', io, input);
  // A script, a cron job and a container have no terminal, and may have an empty standard input.
  const [start, stdin] = await peekStream(io.stdin, (text) => text !== '');
  return start === '' ? undefined : readCandidateFile('-', { ...io, stdin }, input);
}
