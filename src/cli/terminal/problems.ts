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

/** A command line that commander could not parse completely. */
interface FailedCommandLine {
  /** The verb, or the program if no verb was found. */
  readonly command: Command;
  readonly args: readonly string[];
}

type UsageMessage = Pick<Problem, 'message' | 'hint'>;

/** A message for each of commander's error codes, computed from what was parsed: commander's own text is not used. */
const MESSAGES: Readonly<Record<string, (line: FailedCommandLine) => UsageMessage>> = {
  'commander.unknownCommand': ({ command }) => {
    const [name = ''] = command.args;
    const names = command.commands.map((verb) => verb.name());
    return { message: `unknown command ${name}`, hint: didYouMean(name, names) };
  },
  'commander.unknownOption': ({ command, args }) => {
    const [name = ''] = command.parseOptions([...args]).unknown[0]?.split('=') ?? [];
    const names = command.options.flatMap(({ long, hidden }) => (long === undefined || hidden ? [] : [long]));
    return {
      message: `unknown option ${name}`,
      hint: name.startsWith('--') ? didYouMean(name, [...names, '--help']) : undefined,
    };
  },
  'commander.missingArgument': ({ command }) => {
    const missing = command.registeredArguments[command.args.length];
    return { message: `<${missing?.name()}> is missing` };
  },
  'commander.excessArguments': ({ command }) => ({
    message: `found ${command.args.length} arguments, expected at most ${command.registeredArguments.length}`,
    hint: 'put a text with spaces in quotes',
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
