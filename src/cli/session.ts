import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RowFormat } from '../document/rows.js';
import { toMillis } from '../expression/time.js';
import type { Pipeline } from '../pipeline/pipeline.js';
import type { Ranking } from '../pipeline/ranking.js';
import { usage } from './exit.js';
import type { Io } from './io.js';

/** The options of every verb that ranks, as commander gives them. */
export interface SessionOptions {
  readonly profile?: string;
  readonly context?: string;
  readonly now?: number | string;
  readonly input?: RowFormat;
  readonly generate?: true;
}

/** Declares them. */
export const withSession = (verb: Command): Command =>
  verb
    .option('-p, --profile <preset-or-path>', 'required: a preset, or a path, which has a slash or ends in .yaml')
    .option('-c, --context <file>', 'what is known about this request, as JSON or YAML')
    .option('--now <time>', "the time of the run: ISO 8601, or milliseconds since 1970; the context's now", toTime)
    .addOption(new Option('-i, --input <format>', 'the format of the candidates').choices(['json', 'jsonl']))
    .option('--generate', "rank what the profile's strategies make");

/** A profile, and the candidates that it has ranked. */
export interface Session {
  readonly pipeline: Pipeline;
  readonly ranking: Ranking<unknown>;
}

/**
 * Loads the profile, the context and the candidates, and ranks them.
 *
 * @param file    of the candidates; `-`, or nothing where something is piped in, is standard input
 * @param example how the command is called, for who forgot the profile
 * @throws AssizeError with everything that is wrong with them
 */
export async function openSession(
  file: string | undefined,
  options: SessionOptions,
  io: Io,
  example: string,
): Promise<Session> {
  // Not commander's to require: it would say this before it says that --porfile is not known.
  if (options.profile === undefined) throw usage('--profile is missing', example);
  const engine = await import('./engine.js');
  const pipeline = await engine.createPipeline(options.profile);
  const { strategies } = pipeline.describe();
  const makesOwn = options.generate === true || (file === undefined && io.typed);
  if (makesOwn && file !== undefined) throw usage('there are candidates both from --generate and from a file');
  if (makesOwn && strategies.length === 0) {
    throw usage('there are no candidates', `give a file or pipe them in: profile ${pipeline.name} has no strategies`);
  }
  const context = await engine.readContext(options.context, options.now);
  const candidates = makesOwn ? undefined : await engine.readCandidates(file ?? '-', io.stdin, options.input);
  const ranking = await pipeline.rank(candidates, context).catch((error: unknown) => {
    throw engine.placedIn(context, error);
  });
  return { pipeline, ranking };
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
