import { Argument, type Command, Option } from 'commander';
import { INPUT_FORMATS, type InputFormat } from '../../input/input-row.js';
import { parseBudget, parsePositiveInteger, parseTime } from './parse-option-values.js';

/** What `withContext` adds, as commander gives it. */
export interface ContextOptions {
  readonly context?: string;
  readonly now?: number | string;
}

/** What `withSession` adds. */
export interface SessionOptions extends ContextOptions {
  readonly profile?: string;
}

/** What `withInput` adds. */
export interface InputOptions {
  readonly input?: InputFormat;
}

/** What `workersOption` adds. */
export interface WorkersOptions {
  readonly workers?: number;
}

/** The same, and what `generateOption` adds. */
export interface CandidateOptions extends InputOptions {
  readonly generate?: true;
}

const INPUT_HELP = `
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
    .option('--now <time>', "the time of the run: ISO 8601, or milliseconds since 1970; the context's now", parseTime);

/** Adds `--profile`, `--context` and `--now`. */
export const withSession = (command: Command): Command =>
  withContext(
    command.option(
      '-p, --profile <preset-or-path>',
      'required: a preset, or a path, which has a slash or ends in .yaml',
    ),
  );

/** Adds the file of candidates as the last argument, `--input`, and what candidates look like. */
export const withInput = (command: Command): Command =>
  command
    .argument('[file]', 'the candidates: JSON, JSON Lines, CSV or TSV; - is standard input')
    .addOption(new Option('-i, --input <format>', 'the format of the candidates').choices(INPUT_FORMATS))
    .addHelpText('after', INPUT_HELP);

/** `<profile>`, where a verb is about nothing else. */
export const profileArgument = (): Argument =>
  new Argument('<profile>', 'a preset, or the path of a profile: it has a slash, or ends in .yaml, .yml or .json');

/** `--format`: one of these, the first when not said. */
export const formatOption = (...formats: readonly [string, ...string[]]): Option =>
  new Option('-f, --format <format>', 'of the output').choices(formats).default(formats[0]);

/** `--top`: of what is said here. */
export const topOption = (description: string): Option =>
  new Option('-n, --top <number>', description).argParser(parsePositiveInteger);

/** `--workers`. */
export const workersOption = (): Option =>
  new Option(
    '-w, --workers <number>',
    'threads that share a file of JSON Lines, for the same result; 1 when not said',
  ).argParser(parsePositiveInteger);

/** `--budget`. */
export const budgetOption = (): Option =>
  new Option('-b, --budget <number>', "what may be spent, in place of the profile's own target and max").argParser(
    parseBudget,
  );

/** `--generate`. */
export const generateOption = (): Option => new Option('--generate', "rank what the profile's strategies make");

/** `--candidates`. */
export const candidatesOption = (): Option => new Option('--candidates', 'put the candidates themselves into the json');
