import { isAbsolute, relative } from 'node:path';
import type { Command, CommanderError, Option } from 'commander';
import {
  type ProblemCode,
  didYouMean,
  formatProblems,
  AssizeError,
  type Problem,
  escapeInvisible,
} from '../../base/index.js';
import { EXIT_CODES, type Io, type ProcessIo } from './io.js';

/** The codes of problems of the command line itself, as opposed to those of its files. */
const USAGE_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['ASZ534', 'ASZ601', 'ASZ602', 'ASZ603']);

/** A command line that parses, but that its verb cannot run. */
export const usageError = (message: string, hint?: string): AssizeError =>
  new AssizeError([{ code: 'ASZ601', message, hint }]);

/** The values of a choice: `a, b or c`. */
export const choiceList = (values: readonly string[]): string => values.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** The error of a ranking or scoring without candidates. */
export const noCandidatesError = (hint: string): AssizeError => usageError('there are no candidates', hint);

/** Writes an error to standard error, with a stack only under ASSIZE_DEBUG=1, and returns the exit code. */
export function reportFailure(error: unknown, io: ProcessIo): number {
  if (error instanceof AssizeError) {
    writeProblems(error.problems, io);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    io.err.write(`assize failed: ${escapeInvisible(message)}\n  set ASSIZE_DEBUG=1 to see the stack\n`);
  }
  if (io.env['ASSIZE_DEBUG'] === '1' && error instanceof Error) io.err.write(`${stackOf(error)}\n`);
  const misused = error instanceof AssizeError && error.problems.some(({ code }) => USAGE_CODES.has(code));
  return misused ? EXIT_CODES.usage : EXIT_CODES.problems;
}

const stackOf = (error: Error): string =>
  [error.stack, ...(error.cause instanceof Error ? [`caused by ${error.cause.stack}`] : [])].join('\n');

/** Writes problems to standard error, with paths relative to the working directory if they are inside it. */
export function writeProblems(problems: readonly Problem[], { err, folder }: Pick<Io, 'err' | 'folder'>): void {
  if (problems.length === 0) return;
  const shown = problems.map((problem) => relativeToFolder(problem, folder));
  err.write(`${formatProblems(shown, { colour: err.colour })}\n`);
}

/** A problem with the path of its file relative to a folder, if it is inside it. */
export function relativeToFolder(problem: Problem, folder: string): Problem {
  const { place } = problem;
  if (!place || !isAbsolute(place.file)) return problem;
  const path = relative(folder, place.file);
  return path.startsWith('..') || isAbsolute(path) ? problem : { ...problem, place: { ...place, file: path } };
}

const quoted = (text: string): string =>
  /^[\w@%+=:,./#-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The call of a verb whose profile was given as an argument: that which ends in .yaml, or the first of several.
 *
 * @returns undefined if no argument is a profile
 */
export function callWithProfile(verb: string, args: readonly string[]): string | undefined {
  const profile = args.find((one) => /\.ya?ml$/i.test(one)) ?? (args.length > 1 ? args[0] : undefined);
  if (profile === undefined) return undefined;
  const others = args.filter((one) => one !== profile);
  return ['assize', verb, '--profile', profile, ...(others.length > 0 ? others : ['FILE'])].map(quoted).join(' ');
}

/** A command line that commander could not parse completely. */
interface FailedCommandLine {
  /** The verb, or the program if no verb was found. */
  readonly command: Command;
  readonly args: readonly string[];
}

type UsageMessage = Pick<Problem, 'message' | 'hint'>;

/** Names of verbs and options in other programs. */
const OTHER_VERBS: ReadonlyMap<string, string> = new Map([
  ...['validate', 'verify', 'lint'].map((name) => [name, 'check'] as const),
  ['sort', 'rank'],
]);
const OTHER_OPTIONS: ReadonlyMap<string, string> = new Map([
  ...['--limit', '--count', '--take', '--max'].map((name) => [name, '--top'] as const),
  ...['--json', '--output'].map((name) => [name, '--format'] as const),
]);

/** Options that have a value which is easily given as an argument. */
const VALUE_OPTIONS = ['--data', '--profiles'];

/** The call in which arguments that are too many are values of options. */
function callWithOptions(command: Command): string | undefined {
  const { args } = command;
  const most = command.registeredArguments.length;
  const has = (name: string): boolean => command.options.some(({ long }) => long === name);
  if (has('--profile') && command.getOptionValue('profile') === undefined) return callWithProfile(command.name(), args);
  const option = VALUE_OPTIONS.find(has);
  if (option === undefined || args.length !== most + 1) return undefined;
  return ['assize', command.name(), ...args.slice(0, most), option, args[most]!].map(quoted).join(' ');
}

/** A message for each of commander's error codes, computed from what was parsed: commander's own text is not used. */
const MESSAGES: Readonly<Record<string, (line: FailedCommandLine) => UsageMessage>> = {
  'commander.unknownCommand': ({ command }) => {
    const [name = ''] = command.args;
    const names = command.commands.map((verb) => verb.name());
    const other = OTHER_VERBS.get(name);
    return { message: `unknown command ${name}`, hint: other ? `did you mean ${other}?` : didYouMean(name, names) };
  },
  'commander.unknownOption': ({ command, args }) => {
    const [name = ''] = command.parseOptions([...args]).unknown[0]?.split('=') ?? [];
    const names = command.options.flatMap(({ long, hidden }) => (long === undefined || hidden ? [] : [long]));
    const other = OTHER_OPTIONS.get(name);
    const hint = other !== undefined && names.includes(other) ? `did you mean ${other}?` : undefined;
    return {
      message: `unknown option ${name}`,
      hint: hint ?? (name.startsWith('--') ? didYouMean(name, [...names, '--help']) : undefined),
    };
  },
  'commander.missingArgument': ({ command }) => {
    const missing = command.registeredArguments[command.args.length];
    const { argChoices = [], description = '' } = missing ?? {};
    const hint = argChoices.length > 0 ? `expected ${choiceList(argChoices)}` : description;
    return { message: `<${missing?.name()}> is missing`, hint: hint === '' ? undefined : hint };
  },
  'commander.excessArguments': ({ command }) => ({
    message: `found ${command.args.length} arguments, expected at most ${command.registeredArguments.length}`,
    hint: callWithOptions(command) ?? 'put a text with spaces in quotes',
  }),
  'commander.missingMandatoryOptionValue': ({ command }) => {
    const isMissing = (one: Option): boolean =>
      one.mandatory && command.getOptionValue(one.attributeName()) === undefined;
    const { long, argChoices = [] } = command.options.find(isMissing) ?? {};
    const hint = argChoices.length > 0 ? `expected ${choiceList(argChoices)}` : undefined;
    return { message: `${long} is missing`, hint };
  },
  'commander.optionMissingArgument': ({ command, args }) => {
    const last = args.at(-1); // only the last one can lack a value: any other takes the next argument
    const option = command.options.find(({ short, long }) => last === short || last === long);
    return { message: `${option?.long}: expected ${option?.flags.replace(/^[^<]*/, '')}, found nothing` };
  },
};

/**
 * The problem of a command line that commander refused, by the error's code.
 *
 * @param command the verb, or the program if no verb was found
 * @returns undefined if commander has shown the help
 */
export function usageProblem(error: CommanderError, command: Command, args: readonly string[]): Problem | undefined {
  if (error.code === 'commander.help') return undefined;
  return { code: 'ASZ601', ...(MESSAGES[error.code]?.({ command, args }) ?? { message: error.message }) };
}
