import { Command, CommanderError } from 'commander';
import { didYouMean, formatProblem } from '../base/index.js';
import { packageVersion } from '../base/node.js';
import { ask } from './ask.js';
import { check } from './check.js';
import { compare } from './compare.js';
import { diff } from './diff.js';
import { evaluate } from './evaluate.js';
import { expect } from './expect.js';
import { explain } from './explain.js';
import { init } from './init.js';
import { jobs } from './jobs.js';
import { list } from './list.js';
import { mcp } from './mcp.js';
import { create } from './new.js';
import { ProgressBar } from './output/progress-bar.js';
import { pack } from './pack.js';
import { rank } from './rank.js';
import { score } from './score.js';
import { serve } from './serve.js';
import { show } from './show.js';
import { sql } from './sql.js';
import { studio } from './studio.js';
import { Ending, EXIT_CODES, EXIT_HELP, type Io } from './terminal/io.js';
import { reportFailure, usageError, usageProblem } from './terminal/problems.js';
import { tune } from './tune.js';

/** Declares a verb: its summary, arguments, options, help and action. The engine is imported by the action, when it runs. */
type DeclareVerb = (command: Command, io: Io) => void;

/** Every verb by its name, in the order of the help. */
const VERBS: Readonly<Record<string, DeclareVerb>> = {
  rank,
  pack,
  score,
  explain,
  compare,
  diff,
  studio,
  check,
  show,
  list,
  evaluate,
  expect,
  tune,
  ask,
  serve,
  mcp,
  sql,
  jobs,
  init,
  new: create,
  help,
};

/**
 * Runs one command line.
 *
 * @param args what follows `assize`
 * @returns the exit code: one of `EXIT_CODES`
 */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  const bar = io.err.terminal ? new ProgressBar(io.err) : undefined;
  const program = createProgram(args, { ...io, progress: bar?.update });
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT_CODES.fine;
  } catch (error) {
    bar?.stop();
    if (error instanceof Ending) return error.exitCode;
    return error instanceof CommanderError ? reportUsage(error, program, args, io) : reportFailure(error, io);
  } finally {
    bar?.stop();
  }
}

/** Creates the parser of a command line: with the verb that it names or, for the help and for typos, with all of them. */
function createProgram([first = '']: readonly string[], io: Io): Command {
  const program = new Command('assize')
    .description('Ranks any list of things by a YAML profile of vetoes, weighted scorers and rules.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ helpWidth: io.out.columns, subcommandTerm: usageTerm })
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(text),
      outputError: () => {}, // reportUsage does
      getOutHasColors: () => io.out.colour,
      getErrHasColors: () => io.err.colour,
    })
    .addHelpText('after', `\n${EXIT_HELP}`)
    .exitOverride();
  const named = first !== 'help' && Object.hasOwn(VERBS, first);
  for (const [name, declare] of Object.entries(VERBS)) {
    if (!named || name === first) declare(program.command(name), io);
  }
  return program;
}

/** Writes why commander stopped, unless it has shown help or the version, and returns the exit code. */
function reportUsage(error: CommanderError, program: Command, args: readonly string[], { err }: Io): number {
  if (error.exitCode === 0) return EXIT_CODES.fine;
  const verb = namedVerb(program);
  const problem = usageProblem(error, verb, args);
  const names = namesOf(verb).join(' ');
  const where =
    verb.commands.length > 0 ? `${names} --help lists the commands` : `${names} --help shows how to call it`;
  if (problem) err.write(`${formatProblem(problem, { colour: err.colour })}\n${where}\n`);
  return EXIT_CODES.usage;
}

/** The verb or nested verb that a command line names; otherwise the program. */
function namedVerb(command: Command): Command {
  const named = command.commands.find((one) => one.name() === command.args[0]);
  return named ? namedVerb(named) : command;
}

/** The names of a verb and its parents, the program first. */
const namesOf = (verb: Command): readonly string[] => [...(verb.parent ? namesOf(verb.parent) : []), verb.name()];

/** A verb with its arguments, as `assize --help` lists it; without options, since every verb has some. */
const usageTerm = (verb: Command): string =>
  [verb.name(), ...verb.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`))].join(
    ' ',
  );

/** `assize help`: shows what `assize --help` or `assize VERB --help` shows. */
function help(command: Command, io: Io): void {
  command
    .summary('show the help of a command')
    .description('Lists the commands, shows how to call one, or explains the measures of evaluate and tune (measures).')
    .argument('[command]', 'the command, or measures')
    .action(async (name: string | undefined) => {
      if (name === 'measures') {
        const { measuresText } = await import('./output/evaluation-text.js');
        io.out.write(measuresText(io.out));
        return undefined;
      }
      const verbs = command.parent?.commands ?? [];
      const verb = name === undefined ? command.parent : verbs.find((one) => one.name() === name);
      if (verb) return verb.outputHelp();
      const names = verbs.map((one) => one.name());
      throw usageError(`unknown command ${name}`, didYouMean(String(name), names));
    });
}
