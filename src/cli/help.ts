import type { Command } from 'commander';
import { didYouMean } from '../diagnostics/did-you-mean.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/problems.js';

/** `assize help`: shows what `assize --help` or `assize VERB --help` shows. */
export function help(command: Command, io: Io): void {
  command
    .summary('show the help of a command')
    .description(
      'Shows what there is, how a command is used, or what the measures of evaluate and tune mean (measures).',
    )
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
      throw usageError(`there is no command ${name}`, didYouMean(String(name), names));
    });
}
