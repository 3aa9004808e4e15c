import type { Command } from 'commander';
import { didYouMean } from '../diagnostics/did-you-mean.js';
import { usageError } from './terminal/report-failure.js';

/** `assize help`: the same as `assize --help`, and as `assize VERB --help`. */
export function addHelp(program: Command): void {
  program
    .command('help')
    .summary('show the help of a command')
    .description('Shows what there is, or how a command is used.')
    .argument('[command]', 'the command')
    .action((name: string | undefined) => {
      const verb = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (verb) return verb.outputHelp();
      const names = program.commands.map((one) => one.name());
      throw usageError(`there is no command ${name}`, didYouMean(String(name), names));
    });
}
