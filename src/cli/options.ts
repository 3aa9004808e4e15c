import { Argument, type Command, Option } from 'commander';
import { codecOf, FORMAT_TITLES, INPUT_FORMATS, type InputFormat } from '../input/codecs.js';
import type { PlanOverrides } from '../engine/call/override-plan.js';
import type { Trust } from '../profile/trust.js';
import { parseBudget, parseChoice, parseInteger, parseNumberOption, parseTime, parseWeight } from './option-values.js';
import type { Io } from './terminal/io.js';

/** The option of `untrustedOption`. */
export interface TrustOptions {
  readonly untrusted?: true;
}

/** How far the command line trusts the profile. */
export const trustOf = ({ untrusted }: TrustOptions): Trust => (untrusted ? 'none' : 'full');

/** The options of `withContext`, as commander parses them. */
export interface ContextOptions {
  readonly context?: string;
  readonly now?: number | string;
}

/** The options of `withSession`. */
export interface SessionOptions extends ContextOptions, TrustOptions {
  readonly profile?: string;
}

/** The option of `withInput`. */
export interface InputOptions {
  readonly input?: InputFormat;
}

/** The option of `workersOption`. */
export interface WorkersOptions {
  readonly workers?: number;
}

/** The option of `timingsOption`. */
export interface TimingsOptions {
  readonly timings?: true;
}

/** The options of `withInput` and `generateOption`. */
export interface CandidateOptions extends InputOptions {
  readonly generate?: true;
}

/** The options of `weightOption` and `withLimits`. */
export interface OverrideOptions {
  readonly weight?: Readonly<Record<string, number>>;
  readonly top?: number;
  readonly minScore?: number;
  readonly offset?: number;
}

/** What the command line says otherwise than the profile. */
export const overridesOf = ({ weight, top, minScore, offset }: OverrideOptions): PlanOverrides => ({
  weights: weight,
  top,
  min_score: minScore,
  offset,
});

/** The options of `withExplanation`. */
export interface ExplanationOptions extends SessionOptions, CandidateOptions, OverrideOptions {
  readonly format: 'text' | 'json';
}

const FORMAT_WIDTH = Math.max(...INPUT_FORMATS.map(({ length }) => length)) + 3;

const INPUT_HELP = `
Candidates are objects, in one of these formats:
${INPUT_FORMATS.map((format) => `  ${format.padEnd(FORMAT_WIDTH)}${codecOf(format).summary}`).join('\n')}
A file's extension says its format. For standard input and other extensions,
--input does; without it, the format is detected by how the text begins.
In CSV a column metadata.success fills success in metadata. An empty cell is
absent; numbers and true and false become values where nothing gets lost: 007
and 1e400 stay texts.`;

/** Adds `--context` and `--now`. */
export const withContext = (command: Command): Command =>
  command
    .option('-c, --context <file>', 'what is known about this request, as JSON or YAML')
    .option('--now <time>', "the time of the run: ISO 8601, or milliseconds since 1970; the context's now", parseTime);

/** The profile is a stranger's. */
export const untrustedOption = (): Option =>
  new Option('--untrusted', 'the profile is a stranger’s: it may reach no file, plugin, model or address');

/** Adds `--profile`, `--untrusted`, `--context` and `--now`. */
export const withSession = (command: Command): Command =>
  withContext(
    command
      .option('-p, --profile <preset-or-path>', 'required: a preset, or a path, which has a slash or ends in .yaml')
      .addOption(untrustedOption()),
  );

/** `--input`. */
export const inputOption = (): Option =>
  choiceOption('-i, --input <format>', 'the format of the candidates', INPUT_FORMATS);

/** Adds the file of candidates as the last argument, `--input`, and the help on both. */
export const withInput = (command: Command): Command =>
  command
    .argument('[file]', `the candidates: ${FORMAT_TITLES}; - is standard input`)
    .addOption(inputOption())
    .addHelpText('after', INPUT_HELP);

const EXPLANATION_HELP = `
The candidates are ranked as \`assize rank\` ranks them: a score may depend on the
other candidates. Where several have one id, or none, a candidate is named by its
position, counted from 0: '#3', or as rank shows it: 'widget (#3)'.`;

/** Adds what every verb takes that ranks candidates to explain some of them. */
export const withExplanation = (command: Command): Command =>
  withLimits(withInput(withSession(command)))
    .addOption(offsetOption())
    .addOption(formatOption('text', 'json'))
    .addOption(generateOption())
    .addHelpText('after', EXPLANATION_HELP);

/** `<profile>`, for a verb about a profile alone. */
export const profileArgument = (): Argument =>
  new Argument('<profile>', 'a preset, or the path of a profile: it has a slash, or ends in .yaml, .yml or .json');

/** An argument with a fixed set of values. */
export const choiceArgument = (name: string, description: string, values: readonly string[]): Argument =>
  new Argument(name, description).choices(values).argParser(parseChoice(name, values));

/** `--format`: one of these, the first by default. */
export const formatOption = (...formats: readonly [string, ...string[]]): Option =>
  choiceOption('-f, --format <format>', 'of the output', formats).default(formats[0]);

/** `--top`, with the description that the verb gives it. */
export const topOption = (description: string): Option =>
  new Option('-n, --top <number>', description).argParser(parseInteger('--top', 1));

/** `--weight`, of a verb that scores. */
export const weightOption = (): Option =>
  new Option('--weight <id=number>', "the weight of a scorer, in place of the profile's; may be repeated").argParser(
    parseWeight,
  );

/** Adds `--weight`, `--min-score` and `--top`, for a verb that selects. */
export const withLimits = (command: Command): Command =>
  command
    .addOption(weightOption())
    .option(
      '--min-score <number>',
      "the least score that is selected, in place of the profile's",
      parseNumberOption('--min-score'),
    )
    .addOption(topOption("select so many of the best, in place of the profile's select.top"));

/** `--offset`, of a verb whose selection has pages. */
export const offsetOption = (): Option =>
  new Option('--offset <number>', 'skip so many of the best: the pages before').argParser(parseInteger('--offset', 0));

/** `--workers`. */
export const workersOption = (): Option =>
  new Option(
    '-w, --workers <number>',
    'threads that share a file of JSON Lines or Parquet, for the same result; 1 by default',
  ).argParser(parseInteger('--workers', 1));

/** `--timings`. */
export const timingsOption = (): Option =>
  new Option('--timings', 'write how long each stage and each model took to standard error');

/** Does the work of a verb; with `--timings` it is timed. */
export async function timed({ timings }: TimingsOptions, io: Io, work: () => Promise<void>): Promise<void> {
  if (timings !== true) return work();
  const { withTimings } = await import('./output/timings.js');
  return withTimings(io, work);
}

/** `--port`. */
export const portOption = (): Option =>
  new Option('--port <number>', 'of the page; a free one by default').argParser(parseInteger('--port', 0));

/** `--budget`. */
export const budgetOption = (): Option =>
  new Option('-b, --budget <number>', "what may be spent, in place of the profile's own target and max").argParser(
    parseBudget,
  );

/** `--generate`. */
export const generateOption = (): Option => new Option('--generate', "rank what the profile's strategies make");

/** `--candidates`. */
export const candidatesOption = (): Option => new Option('--candidates', 'put the candidates themselves into the json');

/** An option with a fixed set of values. */
export function choiceOption(flags: string, description: string, values: readonly string[]): Option {
  const option = new Option(flags, description).choices(values);
  return option.argParser(parseChoice(`--${option.name()}`, values));
}

/** An option whose value is a whole number. */
export const integerOption = (flags: string, description: string, least: number): Option =>
  new Option(flags, description).argParser(parseInteger(flags.split(' ')[0]!, least));

/** An option whose value is a number. */
export const numberOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser(parseNumberOption(flags.split(' ')[0]!));
