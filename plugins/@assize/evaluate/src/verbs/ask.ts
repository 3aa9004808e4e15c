import {
  collect,
  Ending,
  EXIT_CODES,
  formatOption,
  integerOption,
  type Io,
  jsonText,
  profileArgument,
  type Verb,
  withContext,
  withInputOptions,
} from 'assize/verbs';
import type { AskVerbOptions } from './dataset-options.js';

const HELP = `
It asks you to compare pairs of candidates, the most informative pair first,
until the weights that fit your answers agree on nine tenths of the top. Type
your answers: a, b, = if neither is better, q to stop. Questions go to standard
error. Contradictory answers are listed, and count for less. --answers keeps
your answers in a file of JSON Lines, which evaluate and tune read with --pairs.

Examples:
  assize ask ./films.yaml films.csv
  assize ask ./films.yaml films.csv --top 5 --out yours.yaml
  assize ask ./films.yaml films.csv --answers answers.jsonl`;

/** `assize ask`: finds weights from a person's answers about pairs. */
export const ask: Verb = {
  name: 'ask',
  summary: 'find weights by comparing pairs of candidates',
  declare(command, io) {
    const described = command
      .description('Asks which of two candidates should come first, and finds weights that agree with the answers.')
      .addArgument(profileArgument())
      .argument('<file>', 'the candidates');
    withInputOptions(withContext(described))
      .addOption(integerOption('-n, --top <number>', 'how much of the top must be right; 10 by default', 1))
      .addOption(integerOption('--questions <number>', 'the most questions to ask; 30 by default', 1))
      .option('--only <id>', 'find the weight of this scorer only; may be repeated; all by default', collect)
      .addOption(integerOption('--seed <number>', 'the seed of random draws; 1 by default', 0))
      .option(
        '--answers <file>',
        'read earlier answers from this file and append new ones; each line has a, b and winner',
      )
      .option('--person <name>', 'the name to record with each answer')
      .option('--date <text>', 'the date to record with the evidence')
      .option('-o, --out <file>', 'also write the YAML to this file, if the top is stable')
      .addOption(formatOption('text', 'yaml', 'json'))
      .addHelpText('after', HELP)
      .action((profile: string, file: string, options: AskVerbOptions) => run(profile, file, options, io));
  },
};

async function run(profile: string, file: string, options: AskVerbOptions, io: Io): Promise<void> {
  const { askPerson } = await import('./asked.js');
  const { writeTuned } = await import('./tuned.js');
  const { asked, yaml } = await askPerson(profile, file, options, io);
  if (options.format === 'json') io.out.write(jsonText(asked));
  else if (options.format === 'yaml') io.out.write(asked.stable ? yaml : '');
  else {
    const { askedTable } = await import('./asked.js');
    io.out.write(askedTable(asked, io.out));
  }
  if (asked.stable) return options.out === undefined ? undefined : writeTuned(options.out, yaml, io);
  io.err.write('the answers do not decide the top yet, so nothing was written: answer more questions\n');
  throw new Ending(EXIT_CODES.unshown);
}
