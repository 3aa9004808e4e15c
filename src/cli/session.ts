import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AssizeError, Context } from '../contract/index.js';
import { ROW_FORMATS, type RowFormat } from '../document/row.js';
import { toMillis } from '../expression/time.js';
import type { Pipeline } from '../pipeline/pipeline.js';
import type { RankOptions } from '../pipeline/rank-options.js';
import type { Ranking } from '../pipeline/ranking.js';
import { usage } from './exit.js';
import type { Io } from './io.js';

/** The options of every verb that runs a profile, as commander gives them. */
export interface SessionOptions {
  readonly profile?: string;
  readonly context?: string;
  readonly now?: number | string;
}

/** Those of every verb that is given candidates. */
export interface CandidateOptions {
  readonly input?: RowFormat;
  readonly generate?: true;
}

/** A profile that is ready to run, and the context that it runs in. */
export interface Session {
  readonly pipeline: Pipeline<object>;
  readonly context: Context;
}

/** What candidates look like. */
export const INPUT_HELP = `\
Candidates are objects: a JSON list of them, or one; JSON Lines, an object a
line; CSV or TSV, whose first line names the columns. A file's format is its
ending's. Of standard input, and of a file with another ending, --input says
it; JSON and JSON Lines are also told by how they begin.
In CSV a column metadata.success fills success in metadata. An empty cell is
absent; numbers and true and false are what they say where nothing gets lost:
007 and 1e400 stay texts.`;

/** Adds `--context` and `--now`. */
export const withContext = (command: Command): Command =>
  command
    .option('-c, --context <file>', 'what is known about this request, as JSON or YAML')
    .option('--now <time>', "the time of the run: ISO 8601, or milliseconds since 1970; the context's now", toTime);

/** Adds `--profile`, `--context` and `--now`. */
export const withSession = (command: Command): Command =>
  withContext(
    command.option(
      '-p, --profile <preset-or-path>',
      'required: a preset, or a path, which has a slash or ends in .yaml',
    ),
  );

/** Adds `--budget`. */
export const withBudget = (command: Command): Command =>
  command.option('-b, --budget <number>', "what may be spent, in place of the profile's own target and max", toBudget);

/** Adds `--input`. */
export const withInput = (command: Command): Command =>
  command.addOption(new Option('-i, --input <format>', 'the format of the candidates').choices(ROW_FORMATS));

/** Loads the profile and the context. */
export async function openSession(
  verb: string,
  { profile, context, now }: SessionOptions,
  { progress }: Pick<Io, 'progress'> = {},
): Promise<Session> {
  // Not commander's to require: it would say this before it says that --porfile is not known.
  if (profile === undefined) throw usage('--profile is missing', `assize ${verb} --profile PRESET_OR_PATH FILE`);
  const engine = await import('./engine.js');
  const pipeline = await engine.createPipeline<object>(profile, progress && { progress });
  return { pipeline, context: await engine.readContext(context, now) };
}

/**
 * Reads the candidates that a ranking is about.
 *
 * @returns undefined where the profile's strategies make them: with `--generate`, and where nobody gives any
 */
export async function candidatesOf(
  { pipeline }: Session,
  file: string | undefined,
  { input, generate }: CandidateOptions,
  io: Io,
): Promise<readonly object[] | undefined> {
  const canMake = pipeline.describe().strategies.length > 0;
  const makesOwn = generate === true || (file === undefined && io.typed);
  if (makesOwn && file !== undefined) throw usage('there are candidates both from --generate and from a file');
  if (makesOwn && !canMake) {
    throw noCandidates(`give a file or pipe them in: profile ${pipeline.name} has no strategies`);
  }
  if (makesOwn) return undefined;
  const { readCandidates } = await import('./engine.js');
  if (file !== undefined || !canMake) return readCandidates(file ?? '-', io, input);
  // A script, a job at night and a container have no terminal, and nothing to say either.
  const heard = { text: false };
  const candidates = await readCandidates('-', { ...io, stdin: listening(io.stdin, heard) }, input);
  return heard.text ? candidates : undefined;
}

/** The same parts, and whether there was anything in them. */
async function* listening<T extends string | Uint8Array>(
  parts: AsyncIterable<T>,
  heard: { text: boolean },
): AsyncGenerator<T> {
  for await (const part of parts) {
    heard.text ||= part.length > 0;
    yield part;
  }
}

/** What a verb says that was given no candidates and cannot make any. */
export const noCandidates = (hint: string): AssizeError => usage('there are no candidates', hint);

/** Ranks, and tells where in the context's file a problem is that is the context's. */
export async function rankIn(
  { pipeline, context }: Session,
  candidates: readonly object[] | undefined,
  options: RankOptions = {},
): Promise<Ranking<object>> {
  const { placedIn } = await import('./engine.js');
  return pipeline.rank(candidates, context, options).catch((error: unknown) => {
    throw placedIn(context, error);
  });
}

function toBudget(text: string): number {
  const budget = Number(text);
  if (text.trim() !== '' && Number.isFinite(budget) && budget >= 0) return budget;
  throw new InvalidArgumentError('expected a number of at least 0.');
}

function toTime(text: string): number | string {
  const time = /^-?\d+$/.test(text) && text.length !== 4 ? Number(text) : text; // 2026 is somebody's year
  try {
    toMillis(time);
    return time;
  } catch (error) {
    throw new InvalidArgumentError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}
