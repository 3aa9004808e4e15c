import { Command, CommanderError } from 'commander';
import { didYouMean, formatProblem } from '../base/index.js';
import { packageVersion } from '../base/node.js';
import { check, show } from './check.js';
import { compare, explain, diff } from './explain.js';
import { convert } from './convert.js';
import { expect } from './expect.js';
import { list } from './list.js';
import { create, init } from './new.js';
import { ProgressBar } from './output/progress-bar.js';
import {
  type Caller,
  callerOf,
  HandOver,
  isOperand,
  loadHelpTopic,
  loadStudio,
  loadVerb,
  mismatchText,
  missingText,
} from './packages/load-verbs.js';
import { ignoredVerbs, type ListedVerb, offeredVerbs, verbsByName } from './packages/find-package.js';
import { pack } from './pack.js';
import { rank } from './rank.js';
import { score } from './score.js';
import { sql } from './sql.js';
import { Ending, EXIT_CODES, EXIT_HELP, type Io, type ProcessIo } from './terminal/io.js';
import { reportFailure, usageError, usageProblem, writeProblems } from './terminal/problems.js';

/** Declares a verb of the core: its summary, arguments, options, help and action, which imports the engine when it runs. */
export type DeclareVerb = (command: Command, io: Io) => void;

/** Every verb by its name, in the order of the help: those of the core, and those of the packages around it. */
export const VERBS: Readonly<Record<string, DeclareVerb | ListedVerb>> = {
  rank,
  pack,
  score,
  explain,
  compare,
  diff,
  studio: { from: '@assize/studio', args: '[file]', summary: 'edit a profile in a web page' },
  check,
  show,
  list,
  evaluate: {
    from: '@assize/evaluate',
    args: '<profiles-and-file...>',
    summary: 'measure profiles against judgements',
  },
  expect,
  tune: {
    from: '@assize/evaluate',
    args: '<profile> <candidates>',
    summary: 'find weights, and test whether they are better',
  },
  ask: {
    from: '@assize/evaluate',
    args: '<profile> <file>',
    summary: 'find weights by comparing pairs of candidates',
  },
  serve: { from: '@assize/serve', summary: 'serve the profiles of a folder over HTTP' },
  mcp: { from: '@assize/serve', summary: 'serve profiles to agents (MCP)' },
  sql,
  jobs: { from: '@assize/jobs', summary: 'rank a file with workers on several machines' },
  lsp: { from: '@assize/lsp', summary: 'serve editors with completion, hover and diagnostics for profiles' },
  init,
  new: create,
  convert,
};

/** The package that has the text of `assize help TOPIC`, by topic. */
const HELP_TOPICS: Readonly<Record<string, string>> = { measures: '@assize/evaluate' };

/**
 * Runs one command line.
 *
 * @param args what follows `assize`
 * @returns the exit code: one of `EXIT_CODES`; undefined if another copy of Assize continues, which sets it itself
 */
export async function runCommandLine(args: readonly string[], processIo: ProcessIo): Promise<number | undefined> {
  const bar = processIo.err.terminal ? new ProgressBar(processIo.err) : undefined;
  const name = args.find(isOperand);
  const verb = name === undefined || name === 'help' ? undefined : verbOf(name, processIo);
  const caller = callerOf(args, verb, processIo);
  const io: Io = { ...processIo, progress: bar?.update, loadStudio: () => loadStudio(caller, io) };
  const program = createProgram(io);
  try {
    if (name !== undefined && verb) await declareVerb(program, name, verb, caller, io);
    else declareAll(program, caller, io);
    warnOfIgnored(io, verb && name); // after a hand-over, the other copy does
    await program.parseAsync(args, { from: 'user' });
    return EXIT_CODES.fine;
  } catch (error) {
    bar?.stop();
    if (error instanceof Ending) return error.exitCode;
    if (error instanceof HandOver) return error.run();
    return error instanceof CommanderError ? reportUsage(error, program, args, io) : reportFailure(error, io);
  } finally {
    bar?.stop();
  }
}

/** The verb of a name: of the core, of a package around it, or of a package of the user's project. */
const verbOf = (name: string, { folder }: Pick<ProcessIo, 'folder'>): DeclareVerb | ListedVerb | undefined =>
  Object.hasOwn(VERBS, name) ? VERBS[name] : verbsByName(offeredVerbs(folder))[name];

/** Warns that verbs of packages in the user's project are ignored: all, or those with one name. */
function warnOfIgnored(io: Io, name?: string): void {
  const offered = offeredVerbs(io.folder).filter((one) => name === undefined || one.name === name);
  const packageOf = (verb: string): string | undefined => {
    const listed = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    return typeof listed === 'function' ? 'assize' : listed?.from;
  };
  writeProblems(ignoredVerbs(offered, packageOf), io);
}

/** Creates the parser of a command line, without verbs. */
const createProgram = (io: Io): Command =>
  new Command('assize')
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
    .exitOverride();

/** Declares the verb that a command line names, and no other. */
async function declareVerb(
  program: Command,
  name: string,
  verb: DeclareVerb | ListedVerb,
  caller: Caller,
  io: Io,
): Promise<void> {
  if (typeof verb === 'function') return verb(program.command(name), io);
  const loaded = await loadVerb(name, verb, caller);
  loaded.declare(program.command(name).summary(loaded.summary), io);
}

/** Declares all verbs, for the help and for typos. Those of packages have only their summary and their arguments. */
function declareAll(program: Command, caller: Caller, io: Io): void {
  const ofProject = Object.entries(verbsByName(offeredVerbs(io.folder))).filter(
    ([name]) => !Object.hasOwn(VERBS, name),
  );
  const packaged: [string, ListedVerb][] = [];
  for (const [name, verb] of [...Object.entries(VERBS), ...ofProject]) {
    const command = program.command(name);
    if (typeof verb === 'function') verb(command, io);
    else {
      packaged.push([name, verb]);
      command.summary(verb.summary);
      if (verb.args !== undefined) command.arguments(verb.args);
    }
  }
  help(program.command('help'), caller, io);
  const notes = `${missingText(packaged, caller)}${mismatchText(packaged, caller)}`;
  program.addHelpText('after', `${notes}\n${EXIT_HELP}`);
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
function help(command: Command, caller: Caller, io: Io): void {
  command
    .summary('show the help of a command')
    .description('Lists the commands, shows how to call one, or explains the measures of evaluate and tune (measures).')
    .argument('[command]', 'the command, or measures')
    .action(async (name?: string) => {
      if (name === undefined || name === 'help') return (name ? command : command.parent)?.outputHelp();
      const topic = Object.hasOwn(HELP_TOPICS, name) ? HELP_TOPICS[name] : undefined;
      if (topic !== undefined) return io.out.write(await loadHelpTopic(name, topic, caller, io.out));
      const verb = verbOf(name, io);
      const names = command.parent?.commands.map((one) => one.name()) ?? [];
      if (!verb) throw usageError(`unknown command ${name}`, didYouMean(name, names));
      const program = createProgram(io);
      await declareVerb(program, name, verb, caller, io);
      program.commands[0]?.outputHelp();
    });
}
