import { extname } from 'node:path';
import { createCompiledProfile } from '../../pipeline/node.js';
import type { Context } from '../../sdk/index.js';
import {
  isCoreCode,
  formatProblem,
  toAssizeError,
  copyPlaces,
  locate,
  AssizeError,
  describeValue,
  type Problem,
} from '../../base/index.js';
import { fieldsRead, overridePlan, type CompiledProfile } from '../../engine/index.js';
import { compilePath, isMap } from '../../expression/index.js';
import {
  FORMAT_TITLES,
  formatByExtension,
  type InputFormat,
  readSourceFile,
  peekStream,
  type CandidateSource,
  type ColumnsRead,
  noCandidatesWarning,
  readCandidateChunks,
  readCandidates,
  streamCandidates,
} from '../../data/node.js';
import { Pipeline, type TopRanking, unboundedProblems } from '../../pipeline/index.js';
import { parseDocument } from '../../profile/node.js';
import { candidateReads, type Trust } from '../../profile/index.js';
import type { RankOptions, Ranking } from '../../ranking/index.js';
import {
  type CandidateOptions,
  type InputOptions,
  type OverrideOptions,
  overridesOf,
  type SessionOptions,
  trustOf,
} from '../options.js';
import type { Io } from '../terminal/io.js';
import { checkMessages, withQuery } from './message-query.js';
import { callWithProfile, noCandidatesError, usageError } from '../terminal/problems.js';

/** A profile that is ready to run, with the context of the run. */
export interface CliSession {
  /** A preset's name, or a path, as it was written. */
  readonly profile: string;
  readonly trust: Trust;
  readonly compiled: CompiledProfile;
  readonly pipeline: Pipeline<object>;
  readonly context: Context;
}

/**
 * Loads the profile and the context.
 *
 * @param args the arguments of the verb, one of which may be the missing profile
 */
export async function openCliSession(
  verb: string,
  { profile, context, now, ...options }: SessionOptions,
  { progress }: Pick<Io, 'progress'> = {},
  args: readonly string[] = [],
): Promise<CliSession> {
  // Not a required option of commander: commander would report it before an unknown option such as --porfile.
  if (profile === undefined)
    throw usageError(
      '--profile is missing',
      callWithProfile(verb, args) ?? `assize ${verb} --profile PRESET_OR_PATH FILE`,
    );
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

/**
 * Ranks. A problem of the context gets its place in the context's file. For messages, the last message of the user is
 * the query, unless the context has one.
 */
export async function rankInSession(
  { pipeline, context: given }: CliSession,
  candidates: readonly object[] | undefined,
  options: RankOptions = {},
): Promise<Ranking<object>> {
  const context = withQuery(given, candidates);
  return pipeline.rank(candidates, context, options).catch((error: unknown) => {
    throw locateContextProblems(context, error);
  });
}

/** @throws AssizeError if the profile cannot use an override of the command line */
export const checkOverrides = ({ compiled }: CliSession, options: OverrideOptions): void =>
  void overridePlan(compiled.plan, overridesOf(options));

interface RankInputOptions extends CandidateOptions, OverrideOptions, Pick<RankOptions, 'budget' | 'prune'> {
  /** With `messages`, the candidates must be messages. */
  readonly format?: string;
}

/** Ranks the candidates of a file or of standard input, or those that the profile generates. */
export async function rankInput(
  session: CliSession,
  file: string | undefined,
  { budget, prune = true, format, ...options }: RankInputOptions,
  io: Io,
): Promise<Ranking<object>> {
  const overrides = overridesOf(options);
  checkOverrides(session, options); // before anything is read
  const candidates = await loadCandidates(session, file, options, io);
  if (format === 'messages' && candidates) checkMessages(candidates);
  return rankInSession(session, candidates, { budget, prune, ...overrides });
}

/** The ids of the scorers that run only on some candidates in a ranking with these limits. */
export function deferredScorers({ compiled }: CliSession, options: OverrideOptions): readonly string[] {
  const { rerank, pruning } = overridePlan(compiled.plan, overridesOf(options)).profile;
  return rerank?.ask ?? pruning.scorers.map(({ id }) => id);
}

/**
 * Whether this process ranks files with DuckDB's reader of columns, which takes half the time of SQL: for one Parquet
 * file, if every entry compiles, no scorer is pruned, and the number of retained rows is bounded.
 */
export function ranksColumnsOfDuckDb(
  session: CliSession,
  files: readonly string[],
  options: OverrideOptions & { readonly table?: string; readonly orderBy?: string },
): boolean {
  if (options.table !== undefined || options.orderBy !== undefined || deferredScorers(session, options).length > 0)
    return false;
  const [file, ...others] = files;
  if (file === undefined || others.length > 0 || formatByExtension(extname(file)) !== 'parquet') return false;
  const { profile, fusedPass } = overridePlan(session.compiled.plan, overridesOf(options));
  return fusedPass !== undefined && unboundedProblems(profile).length === 0;
}

/** Standard input, the listener for progress, and where a warning about an empty input is written. */
type CandidateFileIo = Pick<Io, 'stdin' | 'progress' | 'err'>;

const candidateSource = (
  { stdin, progress, err }: CandidateFileIo,
  { absent }: InputOptions,
  reader: Reader | undefined,
  columns?: ColumnsRead,
): CandidateSource => ({
  stdin,
  progress,
  columns,
  absent,
  reads: reader && fieldsRead(candidateReads(reader.plan.profile), false),
  warn: (warning) => err.write(`${formatProblem(warning, { colour: err.colour })}\n`),
});

/** The part of a profile that says which fields it reads. */
type Reader = Pick<CompiledProfile, 'plan'>;

/**
 * Reads the candidates of a file, or of standard input, which is `-`.
 *
 * @param reader limits warnings about cells to the fields that it reads; without it, all cells are checked
 */
export async function readCandidateFile(
  file: string,
  io: CandidateFileIo,
  options: InputOptions,
  reader?: Reader,
): Promise<readonly object[]> {
  checkCandidateFile(file, options.input);
  return readCandidates(file, candidateSource(io, options, reader), options.input);
}

/**
 * Reads the same candidates one by one.
 *
 * @param columns the columns to read of a columnar file; all by default
 */
export function streamCandidateFile(
  file: string,
  io: CandidateFileIo,
  options: InputOptions,
  columns?: ColumnsRead,
  reader?: Reader,
): AsyncGenerator<object, void> {
  checkCandidateFile(file, options.input);
  return streamCandidates(file, candidateSource(io, options, reader, columns), options.input);
}

/**
 * Reads the same candidates in batches, sorted if a function that sorts them is passed.
 *
 * @param read reads the batches; default: in the order of the file
 */
export function chunksOfCandidateFile(
  file: string,
  io: CandidateFileIo,
  options: InputOptions,
  columns: ColumnsRead | undefined,
  reader: Reader,
  read: typeof readCandidateChunks = readCandidateChunks,
): AsyncGenerator<readonly object[], void> {
  checkCandidateFile(file, options.input);
  return read(file, candidateSource(io, options, reader, columns), options.input);
}

/**
 * Refuses a YAML file among the arguments, which is probably a profile.
 *
 * @throws AssizeError (ASZ601)
 */
export function checkCandidateFile(file: string, format: InputFormat | undefined): void {
  if (format !== undefined || !/\.ya?ml$/i.test(file)) return;
  throw usageError(`${file} is YAML, and candidates are ${FORMAT_TITLES}`, 'pass a profile with --profile');
}

/**
 * Reads the candidates of a ranking.
 *
 * @returns undefined if the profile's strategies generate them: with `--generate`, or without input
 */
async function loadCandidates(
  { pipeline, compiled }: CliSession,
  file: string | undefined,
  { generate, ...options }: CandidateOptions,
  io: Io,
): Promise<readonly object[] | undefined> {
  const canGenerate = pipeline.describe().strategies.length > 0;
  const generates = generate === true || (file === undefined && io.interactive);
  if (generates && file !== undefined) throw usageError('--generate and a file both provide candidates: remove one');
  if (generates && !canGenerate) {
    throw noCandidatesError(
      `give a file, or pipe candidates to standard input: profile ${pipeline.name} has no strategies`,
    );
  }
  if (generates) return undefined;
  if (file !== undefined || !canGenerate) return readCandidateFile(file ?? '-', io, options, compiled);
  // A script, a cron job and a container have no terminal, and may have an empty standard input.
  const [start, stdin] = await peekStream(io.stdin, (text) => text !== '');
  return start === '' ? undefined : readCandidateFile('-', { ...io, stdin }, options, compiled);
}

/**
 * Reads the context of a run.
 *
 * @param file JSON if it ends in .json, else YAML; without it, the context is empty
 * @param now  replaces the `now` of the file
 * @throws AssizeError with all problems of the context
 */
export async function readContext(file: string | undefined, now?: number | string): Promise<Context> {
  const given = file === undefined ? {} : await readContextFile(file);
  if (now === undefined) return given;
  const context = { ...given, now };
  copyPlaces(given, context);
  return context;
}

async function readContextFile(file: string): Promise<Context> {
  const source = await readSourceFile(file, { pipes: true });
  const { data, problems } = await parseDocument(source);
  if (problems.length > 0) throw toAssizeError(problems);
  if (isMap(data)) return data;
  const message = `the context is ${describeValue(data)}; expected a map`;
  throw new AssizeError([{ code: 'ASZ104', message, place: source.placeAt(0) }]);
}

/** Whether a problem may be about the context: ASZ104, or a code of a plugin. */
const isContextProblem = ({ code }: Problem): boolean => code === 'ASZ104' || !isCoreCode(code);

/** Adds to each problem of the context in a run's error its place in the context's file. */
export function locateContextProblems(context: Context, error: unknown): unknown {
  if (!(error instanceof AssizeError)) return error;
  const problems = error.problems.map((problem) => {
    const { path, place, hint } = problem;
    if (!isContextProblem(problem) || place !== undefined || path === undefined) return problem;
    const found = locate(context, pathKeys(path.replace(/^context\./, '')), 'value');
    if (found || Object.keys(context).some((key) => key !== 'now')) return { ...problem, place: found };
    return { ...problem, hint: [hint, 'pass the context with --context FILE'].filter(Boolean).join('; ') };
  });
  return new AssizeError(problems, error.message, { cause: error });
}

/** The keys of a path such as `graph.edges[3].weight`; a text that is not a path is one key. */
function pathKeys(path: string): readonly (string | number)[] {
  try {
    return compilePath(path).steps.map((step) =>
      step.kind === 'key' ? step.key : step.kind === 'index' ? step.index : 0,
    );
  } catch {
    return [path];
  }
}

/** The source of candidates: files of one format, or a table. */
interface CandidateOrigin {
  readonly files: readonly string[];
  readonly table?: string | undefined;
  /** The format of the files, if their extensions do not tell. */
  readonly format?: InputFormat;
}

/** Warns if an engine found no candidates (ASZ717), as for candidates that this process reads. */
export function warnOfNoCandidates(
  { counts }: Pick<TopRanking<object>, 'counts'>,
  { files, table, format = formatByExtension(extname(files[0] ?? '')) }: CandidateOrigin,
  { err }: Pick<Io, 'err'>,
): void {
  if (counts.given > 0) return;
  const name = files.length === 1 ? files[0]! : `${files.length} files`;
  const warning = table === undefined ? noCandidatesWarning(name, format) : noCandidatesWarning(`table ${table}`);
  if (warning) err.write(`${formatProblem(warning, { colour: err.colour })}\n`);
}
