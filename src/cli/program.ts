import { Command } from 'commander';
import { formatProblem } from '../diagnostics/format.js';
import { addCheck } from './check.js';
import { addCompare } from './compare.js';
import { addDiff } from './diff.js';
import { addExplain } from './explain.js';
import { addHelp } from './help.js';
import { addList } from './list.js';
import { addNew } from './new.js';
import { ProgressBar } from './output/progress-bar.js';
import { addPack } from './pack.js';
import { packageVersion } from './package-version.js';
import { addRank } from './rank.js';
import { addScore } from './score.js';
import { addShow } from './show.js';
import { EXIT_CODES, EXIT_HELP } from './terminal/exit-codes.js';
import type { Io } from './terminal/io.js';
import { reportFailure } from './terminal/report-failure.js';
import { usageProblem } from './terminal/usage-problem.js';

/** The verbs, in the order in which the help lists them. A verb declares itself, and loads the engine when it runs. */
const VERBS: readonly ((program: Command, io: Io) => void)[] = [
  addRank,
  addPack,
  addScore,
  addExplain,
  addCompare,
  addDiff,
  addCheck,
  addShow,
  addList,
  addNew,
  addHelp,
];

/**
 * Runs one command line.
 *
 * @param args what follows `assize`
 * @returns the exit code: one of `EXIT`
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  // Loaded by verbs that may take long, and only where somebody could see it.
  const bar = io.err.terminal ? new ProgressBar(io.err) : undefined;
  try {
    await createProgram({ ...io, progress: bar?.update }).parseAsync(args, { from: 'user' });
    return EXIT_CODES.fine;
  } catch (error) {
    bar?.stop();
    return reportFailure(error, io);
  } finally {
    bar?.stop();
  }
}

function createProgram(io: Io): Command {
  const program = new Command('assize')
    .description('Ranks any list of things as a YAML profile says: vetoes, weighted scorers and rules.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ helpWidth: io.out.columns, subcommandTerm: usageTerm })
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(text),
      outputError: (text, write) => write(`${formatProblem(usageProblem(text), { colour: io.err.colour })}\n`),
      getOutHasColors: () => io.out.colour,
      getErrHasColors: () => io.err.colour,
    })
    .showHelpAfterError('assize --help shows what there is')
    .addHelpText('after', `\n${EXIT_HELP}`)
    .exitOverride();
  for (const add of VERBS) add(program, io);
  for (const verb of program.commands) verb.showHelpAfterError(`assize ${verb.name()} --help shows how`);
  return program;
}

/** A verb with what it takes, as `assize --help` lists it. That it has options goes without saying. */
const usageTerm = (verb: Command): string =>
  [verb.name(), ...verb.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`))].join(
    ' ',
  );
