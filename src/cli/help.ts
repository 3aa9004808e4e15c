import type { Command } from 'commander';
import { didYouMean } from '../diagnostics/did-you-mean.js';
import { usageError } from './terminal/problems.js';

/** `assize help`: shows what `assize --help` or `assize VERB --help` shows. */
export function help(command: Command): void {
  command
    .summary('show the help of a command')
    .description('Shows what there is, or how a command is used.')
    .argument('[command]', 'the command')
    .action((name: string | undefined) => {
      const verbs = command.parent?.commands ?? [];
      const verb = name === undefined ? command.parent : verbs.find((one) => one.name() === name);
      if (verb) return verb.outputHelp();
      const names = verbs.map((one) => one.name());
      throw usageError(`there is no command ${name}`, didYouMean(String(name), names));
    });
}
