import { Option } from 'commander';
import {
  choiceOption,
  collect,
  Ending,
  EXIT_CODES,
  formatOption,
  integerOption,
  invalidValue,
  type Io,
  jsonText,
  numberOption,
  profileArgument,
  type Verb,
} from 'assize/verbs';
import type { ParamBounds } from '../tune/tune-options.js';
import { type TuneVerbOptions, withDataset } from './dataset-options.js';

const HELP = `
Tuning cross-validates: weights are found on one part of the data, rounded, and
evaluated on the held-out part, in turn. The sum of the weights is not changed.
Weights are written only if they show a gain: its 95 % interval excludes 0, and p
is below 0.05. With --folds-by and --group-by both results are reported, with a
warning if they disagree.
Ctrl-C ends the search, and keeps the best weights so far.

Output:
  text    the weights, each curve over a histogram of its input, and the gain on
          held-out data
  yaml    a profile that extends the one given, with the evidence as comments
  json    the same as a tree

Examples:
  assize tune ./films.yaml -g query -l clicks -m nDCG@5 films.csv
  assize tune ./films.yaml -g query -l clicks --curves 5 films.csv --out tuned.yaml
  assize tune ./mine.yaml -l metadata.success --group-by task runs.jsonl
  assize tune ./films.yaml -j qrels.txt -g query --seconds 60 candidates.jsonl`;

/** `assize tune`: finds weights and curves, and tests whether they are better. */
export const tune: Verb = {
  name: 'tune',
  summary: 'find weights, and test whether they are better',
  declare(command, io) {
    const described = command
      .description('Finds weights and curves for a profile from judged candidates.')
      .addArgument(profileArgument())
      .argument('<candidates>', 'the queries or candidates');
    withDataset(described)
      .option(
        '-m, --measure <name>',
        'the measure to improve: nDCG@10 by default; for data without queries AUC (default for two grades), tau (default for more), AP or rho',
      )
      .addOption(numberOption('--relevant-from <grade>', 'the least grade that is relevant; 1 by default'))
      .addOption(integerOption('--curves <points>', 'also fit curves with at most this many points, 2 to 6', 2))
      .option('--curve <id>', 'a scorer that gets a curve; may be repeated; all by default', collect)
      .option('--any-shape', 'curves may rise and fall')
      .option('--only <id>', 'a scorer whose weight is tuned; may be repeated; all by default', collect)
      .option('--case <name>', 'tune the weights of one case')
      .option('--signed', 'weights may be negative')
      .option('--sparse', 'keep the fewest scorers within one standard error of the best result')
      .addOption(paramOption())
      .addOption(choiceOption('--start-from <loss>', 'the loss to start the search from', ['lists', 'labels', 'pairs']))
      .addOption(integerOption('--folds <number>', 'the number of folds; 5 by default', 2))
      .addOption(
        integerOption(
          '--repeats <number>',
          'the number of repeated cross-validations; 5 by default below 500 queries, else 1',
          1,
        ),
      )
      .addOption(integerOption('--seed <number>', 'the seed of random draws; 1 by default', 0))
      .addOption(numberOption('--seconds <number>', 'the most seconds to search'))
      .option('--date <text>', 'the date to record with the evidence')
      .option('-o, --out <file>', 'also write the YAML to this file, if a gain is shown')
      .addOption(formatOption('text', 'yaml', 'json'))
      .addHelpText('after', HELP)
      .action((profile: string, file: string, options: TuneVerbOptions) => run(profile, file, options, io));
  },
};

const paramOption = (): Option =>
  new Option('--param <entry.param=lo..hi>', 'also tune a param within bounds; may be repeated').argParser(parseParam);

/** `fresh.curve.half_life=1..90`, added to those before it. */
function parseParam(text: string, before: ParamBounds = {}): ParamBounds {
  const [, name, low, high] = /^([^=]+)=(-?[\d.]+?)\.\.(-?[\d.]+)$/.exec(text) ?? [];
  if (name !== undefined) return { ...before, [name]: [Number(low), Number(high)] };
  throw invalidValue('--param', `expected entry.param=lo..hi, found ${JSON.stringify(text)}`);
}

async function run(profile: string, file: string, options: TuneVerbOptions, io: Io): Promise<void> {
  const { tuneFile, writeTuned } = await import('./tuned.js');
  const { tuning, yaml } = await tuneFile(profile, file, options, io);
  if (options.format === 'json') {
    const scorers = tuning.scorers.map(({ scores: _scores, ...scorer }) => scorer);
    io.out.write(jsonText({ ...tuning, scorers }));
  } else if (options.format === 'text') {
    const { tuningText } = await import('./tuned.js');
    io.out.write(tuningText(tuning, io.out));
  } else if (tuning.shown) io.out.write(yaml);
  if (tuning.shown) return options.out === undefined ? undefined : writeTuned(options.out, yaml, io);
  io.err.write('no gain is shown on held-out data, so nothing was written\n');
  throw new Ending(EXIT_CODES.unshown);
}
