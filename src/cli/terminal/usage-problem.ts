import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../../diagnostics/did-you-mean.js';
import type { Problem } from '../../diagnostics/problem.js';

/** A command line that was parsed as far as it could be. */
interface FailedCommandLine {
  /** The verb, or the program where no verb was found. */
  readonly command: Command;
  readonly args: readonly string[];
}

type UsageMessage = Pick<Problem, 'message' | 'hint'>;

/** A message for each of commander's error codes, computed from what was parsed: commander's own text is never read. */
const MESSAGES: Readonly<Record<string, (line: FailedCommandLine) => UsageMessage>> = {
  'commander.unknownCommand': ({ command }) => {
    const [name = ''] = command.args;
    const names = command.commands.map((verb) => verb.name());
    return { message: `there is no command ${name}`, hint: didYouMean(name, names) };
  },
  'commander.unknownOption': ({ command, args }) => {
    const [name = ''] = command.parseOptions([...args]).unknown[0]?.split('=') ?? [];
    const names = command.options.flatMap(({ long, hidden }) => (long === undefined || hidden ? [] : [long]));
    return {
      message: `there is no option ${name}`,
      hint: name.startsWith('--') ? didYouMean(name, [...names, '--help']) : undefined,
    };
  },
  'commander.missingArgument': ({ command }) => {
    const missing = command.registeredArguments[command.args.length];
    return { message: `<${missing?.name()}> is missing` };
  },
  'commander.excessArguments': ({ command }) => ({
    message: `found ${command.args.length} arguments, expected at most ${command.registeredArguments.length}`,
    hint: 'a text with spaces in it goes into quotes',
  }),
  'commander.optionMissingArgument': ({ command, args }) => {
    const last = args.at(-1); // only the last one can be without its value: any other takes what follows it
    const option = command.options.find(({ short, long }) => last === short || last === long);
    return { message: `${option?.long}: expected ${option?.flags.replace(/^[^<]*/, '')}, found nothing` };
  },
};

/**
 * The problem of a command line that commander refused, by the error's code.
 *
 * @param command the verb, or the program where no verb was found
 * @returns nothing where commander has shown the help
 */
export function usageProblem(error: CommanderError, command: Command, args: readonly string[]): Problem | undefined {
  if (error.code === 'commander.help') return undefined;
  return { code: 'ASZ601', ...(MESSAGES[error.code]?.({ command, args }) ?? { message: error.message }) };
}
