import { Argument, type Command, CommanderError, Option } from 'commander';
import type { CallBudget, CallBudgetKeys, PlanOverrides } from '../engine/index.js';
import { toMillis } from '../expression/index.js';
import { codecOf, FORMAT_TITLES, INPUT_FORMATS, type InputFormat } from '../data/node.js';
import type { Trust } from '../profile/index.js';
import { EXIT_CODES, type Io } from './terminal/io.js';
import { choiceList } from './terminal/problems.js';

/** The option of `untrustedOption`. */
export interface TrustOptions {
  readonly untrusted?: true;
}

/** The trust level of the profile. */
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

/** The options of `withInput` and `withInputOptions`. */
export interface InputOptions {
  readonly input?: InputFormat | undefined;
  readonly absent?: readonly string[] | undefined;
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
  readonly seed?: number;
}

/** The values of the command line that override the profile. */
export const overridesOf = ({ weight, top, minScore, offset, seed }: OverrideOptions): PlanOverrides => ({
  weights: weight,
  top,
  minScore,
  offset,
  seed,
});

/** The options of `withExplanation`. */
export interface ExplanationOptions extends SessionOptions, CandidateOptions, OverrideOptions {
  readonly budget?: CallBudget;
  readonly format: 'text' | 'json' | 'markdown';
}

const FORMAT_WIDTH = Math.max(...INPUT_FORMATS.map(({ length }) => length)) + 3;

const INPUT_HELP = `
Candidates are objects, in one of these formats:
${INPUT_FORMATS.map((format) => `  ${format.padEnd(FORMAT_WIDTH)}${codecOf(format).summary}`).join('\n')}
The format follows from the file extension. For standard input and other
extensions, give --input, or Assize detects the format from the first bytes.
In CSV, a column metadata.success sets success in metadata. An empty cell is
absent; --absent N/A makes N/A absent too. Numbers, true and false are converted
if that loses nothing: 007 and 1e400 stay texts.`;

/** Adds `--context` and `--now`. */
export const withContext = (command: Command): Command =>
  command
    .option('-c, --context <file>', 'the context of the request, as JSON or YAML')
    .addOption(nowOption('the time of the run (now in the context): ISO 8601, or milliseconds since 1970'));

/** `--now`, with the description of the verb. */
const nowOption = (description: string): Option => new Option('--now <time>', description).argParser(parseTime);

/** `--untrusted`. */
export const untrustedOption = (): Option =>
  new Option('--untrusted', 'for a profile that you do not trust: deny it files, plugins, models and network');

/** Adds `--profile`, `--untrusted`, `--context` and `--now`. */
export const withSession = (command: Command): Command =>
  withContext(
    command
      .option('-p, --profile <preset-or-path>', 'required: a preset, or a path, which has a slash or ends in .yaml')
      .addOption(untrustedOption()),
  );

/** Adds `--input` and `--absent`. */
export const withInputOptions = (command: Command): Command =>
  command
    .addOption(choiceOption('-i, --input <format>', 'the format of the candidates', INPUT_FORMATS))
    .option('--absent <text>', 'in CSV and TSV: a cell with this text is absent; may be repeated', collect);

/** Adds the file of candidates as the last argument, `--input`, `--absent`, and the help on them. */
export const withInput = (command: Command): Command =>
  withInputOptions(command.argument('[file]', `the candidates: ${FORMAT_TITLES}; - is standard input`)).addHelpText(
    'after',
    INPUT_HELP,
  );

const EXPLANATION_HELP = `
The candidates are ranked as by \`assize rank\`, since a score may depend on the
other candidates. Name a candidate by its id, or by the number of its row in the
table that \`assize rank\` or \`assize pack\` prints with the same options: '#3'.
If ids are missing or repeated, use the position in the input, counted from 0:
'@3', or the name in the table: 'widget (@3)'.`;

/** Adds the arguments and options of the verbs that explain ranked candidates. */
export const withExplanation = (command: Command, ...formats: readonly string[]): Command =>
  withLimits(withInput(withSession(command)))
    .addOption(offsetOption())
    .addOption(budgetOption())
    .addOption(formatOption('text', 'json', ...formats))
    .addOption(generateOption())
    .addHelpText('after', EXPLANATION_HELP);

/** `<profile>`, for a verb that takes only a profile. */
export const profileArgument = (): Argument =>
  new Argument('<profile>', 'a preset, or the path of a profile: it has a slash, or ends in .yaml, .yml or .json');

/** An argument with a fixed set of values. */
export const choiceArgument = (name: string, description: string, values: readonly string[]): Argument =>
  new Argument(name, description).choices(values).argParser(parseChoice(name, values));

/** `--format`: one of these, the first by default. */
export const formatOption = (...formats: readonly [string, ...string[]]): Option =>
  choiceOption('-f, --format <format>', 'the format of the output', formats).default(formats[0]);

/** `--top`, with the description that the verb gives it. */
export const topOption = (description: string): Option =>
  new Option('-n, --top <number>', description).argParser(parseInteger('--top', 1));

/** `--weight`, of a verb that scores. */
export const weightOption = (): Option =>
  new Option('--weight <id=number>', "the weight of a scorer, in place of the profile's; may be repeated").argParser(
    parseWeight,
  );

/** Adds `--weight`, `--min-score`, `--top` and `--seed`, for a verb that selects. */
export const withLimits = (command: Command): Command =>
  command
    .addOption(weightOption())
    .option(
      '--min-score <number>',
      "the least score that is selected, in place of the profile's",
      parseNumberOption('--min-score'),
    )
    .addOption(topOption("how many candidates to select, in place of the profile's select.top"))
    .option(
      '--seed <number>',
      "order tied candidates and choose at random, in place of the profile's select.seed",
      parseInteger('--seed', 0),
    );

/** `--offset`, of a verb whose selection has pages. */
export const offsetOption = (): Option =>
  new Option('--offset <number>', 'skip this many of the best, for the next page').argParser(
    parseInteger('--offset', 0),
  );

/** `--workers`. */
export const workersOption = (): Option =>
  new Option(
    '-w, --workers <number>',
    'threads that share a JSON Lines or Parquet file; the result is the same; 1 by default',
  ).argParser(parseInteger('--workers', 1));

/** `--timings`. */
export const timingsOption = (): Option =>
  new Option('--timings', 'write how long each stage and each model took to standard error');

/** Runs a verb; with `--timings` it is timed. */
export async function timed({ timings }: TimingsOptions, io: Io, work: () => Promise<void>): Promise<void> {
  if (timings !== true) return work();
  const { withTimings } = await import('./output/timings.js');
  return withTimings(io, work);
}

/** `--budget`. */
export const budgetOption = (): Option =>
  new Option(
    '-b, --budget <budget>',
    "a number in place of the profile's target and max, or keys: max=8000,output_reserve=1000",
  ).argParser(parseBudget);

/** `--generate`. */
export const generateOption = (): Option =>
  new Option('--generate', "rank the candidates that the profile's strategies generate");

/** `--candidates`. */
export const candidatesOption = (): Option => new Option('--candidates', 'include the candidates in the JSON');

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

/**
 * The error of an invalid value. Commander's own InvalidArgumentError would be wrapped into another sentence before it
 * can be caught.
 *
 * @param name the option or the argument
 */
export const invalidValue = (name: string, message: string): CommanderError =>
  new CommanderError(EXIT_CODES.usage, 'assize.invalidValue', `${name}: ${message}`);

/** Parses the value of an option with a fixed set. */
const parseChoice =
  (name: string, values: readonly string[]) =>
  (text: string): string => {
    if (values.includes(text)) return text;
    throw invalidValue(name, `expected ${choiceList(values)}, found ${JSON.stringify(text)}`);
  };

/** Collects the values of an option that may be repeated. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Parses the whole number of an option. */
export const parseInteger =
  (name: string, least: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
    throw invalidValue(name, `expected a whole number of at least ${least}, found ${JSON.stringify(text)}`);
  };

/** Parses the number of an option. */
const parseNumberOption =
  (name: string) =>
  (text: string): number => {
    const number = parseNumber(text);
    if (number !== undefined) return number;
    throw invalidValue(name, `expected a number, found ${JSON.stringify(text)}`);
  };

/** Parses a number as JavaScript writes it; undefined if the text is not a number. */
function parseNumber(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Adds a weight to those before it. The last weight of a scorer wins. */
function parseWeight(text: string, before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const [id = '', value = '', ...rest] = text.split('=');
  const weight = parseNumber(value);
  if (id !== '' && weight !== undefined && rest.length === 0) return { ...before, [id]: weight };
  throw invalidValue('--weight', `expected the id of a scorer, = and a number, found ${JSON.stringify(text)}`);
}

const BUDGET_KEYS: ReadonlySet<string> = new Set(['target', 'max', 'output_reserve', 'safety_margin']);

/** The prefix of the keys of `reserved_slots`, which is a map. */
const SLOT = 'reserved_slots.';

/** Parses a budget, in the unit of the profile: a number, or `key=number` with commas between. */
function parseBudget(text: string): CallBudget {
  if (!text.includes('=')) return parseSize(text, '');
  const keys = new Map<string, number>();
  const slots = new Map<string, number>();
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const key = part.slice(0, Math.max(at, 0)).trim();
    const isSlot = key.startsWith(SLOT) && key.length > SLOT.length;
    if (!isSlot && !BUDGET_KEYS.has(key)) {
      const known = choiceList([...BUDGET_KEYS, `${SLOT}NAME`]);
      throw invalidValue('--budget', `expected ${known}, then = and a number; found ${JSON.stringify(part)}`);
    }
    const [map, name] = isSlot ? [slots, key.slice(SLOT.length)] : [keys, key];
    if (map.has(name)) throw invalidValue('--budget', `${key} is given twice`);
    map.set(name, parseSize(part.slice(at + 1), `${key}: `));
  }
  const sizes: CallBudgetKeys = Object.fromEntries(keys);
  return slots.size === 0 ? sizes : { ...sizes, reserved_slots: Object.fromEntries(slots) };
}

function parseSize(text: string, name: string): number {
  const size = parseNumber(text);
  if (size !== undefined && size >= 0) return size;
  throw invalidValue('--budget', `${name}expected a number of at least 0, found ${JSON.stringify(text)}`);
}

/** Checks a time, and returns it unparsed. Digits are milliseconds, except that four digits are a year. */
function parseTime(text: string): number | string {
  const time = /^-?\d+$/.test(text) && text.length !== 4 ? Number(text) : text;
  try {
    toMillis(time);
    return time;
  } catch (error) {
    throw invalidValue('--now', error instanceof Error ? error.message : String(error));
  }
}

/** The options of `withProposalOptions`. */
export interface ProposalVerbOptions extends InputOptions {
  readonly folder?: string;
  readonly now?: number | string;
}

/** Adds the options for reading the file from whose columns a profile is proposed. */
export const withProposalOptions = (command: Command): Command =>
  withInputOptions(command).addOption(
    nowOption('the time from which dates in the file are old or new; now by default'),
  );
