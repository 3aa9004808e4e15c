import type { Command } from 'commander';
import {
  collect,
  formatOption,
  integerOption,
  profileArgument,
  topOption,
  withContext,
  withInputOptions,
} from './options.js';
import { jsonText } from './output/json.js';
import { Ending, EXIT_CODES, type Io } from './terminal/io.js';
import type { AskVerbOptions } from './dataset-options.js';

const HELP = `
It asks for the pair that teaches most, until the weights that fit the answers
agree on nine tenths of the top. Answers are lines of standard input: a, b, = for
neither before the other, q to stop. Questions go to standard error. Answers that
contradict the others are listed, and count for less. With --answers they are kept
in a file of JSON Lines, which evaluate and tune read with --pairs.

Examples:
  assize ask ./films.yaml films.csv
  assize ask ./films.yaml films.csv --top 5 --out yours.yaml
  assize ask ./films.yaml films.csv --answers answers.jsonl`;

/** `assize ask`: finds the weights that a person has in mind. */
export function ask(command: Command, io: Io): void {
  const described = command
    .summary('find the weights that a person has in mind')
    .description('Asks which of two candidates should come first, and finds the weights that say so.')
    .addArgument(profileArgument())
    .argument('<file>', 'the candidates');
  withInputOptions(withContext(described))
    .addOption(topOption('so many of the best are to be right; 10 by default'))
    .addOption(integerOption('--questions <number>', 'no more than so many; 30 by default', 1))
    .option('--only <id>', 'a scorer whose weight is asked for; may be repeated; all by default', collect)
    .addOption(integerOption('--seed <number>', 'of what is drawn; 1 by default', 0))
    .option('--answers <file>', 'read the answers that are there, and add the new ones: a, b and winner a line')
    .option('--person <name>', 'who answers, for the file of answers')
    .option('--date <text>', 'the day, for the evidence')
    .option('-o, --out <file>', 'write the YAML there, too, where the top is stable')
    .addOption(formatOption('text', 'yaml', 'json'))
    .addHelpText('after', HELP)
    .action((profile: string, file: string, options: AskVerbOptions) => run(profile, file, options, io));
}

async function run(profile: string, file: string, options: AskVerbOptions, io: Io): Promise<void> {
  const { askPerson } = await import('./session/asked.js');
  const { writeTuned } = await import('./session/tuned.js');
  const { asked, yaml } = await askPerson(profile, file, options, io);
  if (options.format === 'json') io.out.write(jsonText(asked));
  else if (options.format === 'yaml') io.out.write(asked.stable ? yaml : '');
  else {
    const { askedTable } = await import('./output/asked-text.js');
    io.out.write(askedTable(asked, io.out));
  }
  if (asked.stable) return options.out === undefined ? undefined : writeTuned(options.out, yaml, io);
  io.err.write('the answers do not decide the top yet, and nothing was written\n');
  throw new Ending(EXIT_CODES.unshown);
}
