import type { Command } from 'commander';
import { type DatasetVerbOptions, withQueries } from './dataset-options.js';
import {
  collect,
  type ContextOptions,
  openOption,
  type OpenOptions,
  portOption,
  type TrustOptions,
  untrustedOption,
  withContext,
  withInput,
} from './options.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/problems.js';

interface StudioVerbOptions extends ContextOptions, TrustOptions, DatasetVerbOptions, OpenOptions {
  readonly profile?: readonly string[];
  readonly port?: number;
  readonly export?: string;
}

const HELP = `
The page is served to this machine alone, at an address with a token; it ends
with Ctrl-C. Saving changes weights in the profile's file, and nothing else.
--export writes the same page as one file, with the candidates in it: it opens
in a browser without a server, and cannot save.
With judgements, nDCG and others move with the weights, query by query and in
the mean, and the page can tune; a grade is taken out of the candidates, so that
no profile can read it.

Examples:
  assize studio --profile ./movies.yaml movies.json --open
  assize studio --profile knowledgepulse traces.jsonl
  assize studio --profile ./old.yaml --profile ./new.yaml movies.json
  assize studio --profile ./movies.yaml movies.json --export out
  assize studio --profile ./traces.yaml --label outcome traces.jsonl
  assize studio --profile ./films.yaml -g query -l clicks films.csv`;

/** `assize studio`: weights as sliders, in a page. */
export function studio(command: Command, io: Io): void {
  withQueries(withInput(withContext(command)))
    .summary('weigh a ranking in a page, and save the weights')
    .description('Opens a page in which weights are sliders, ranks move as they are dragged, and all is explained.')
    .option(
      '-p, --profile <preset-or-path>',
      'required: a preset, or a path; more are compared with the first',
      collect,
    )
    .addOption(untrustedOption())
    .addOption(openOption('open the page in a browser, where there is one'))
    .addOption(portOption())
    .option('--export <folder>', 'write the page as a file, and serve nothing')
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: StudioVerbOptions) => run(file ?? '-', options, io));
}

async function run(file: string, { profile: profiles = [], ...options }: StudioVerbOptions, io: Io): Promise<void> {
  if (profiles.length === 0) throw usageError('--profile is missing', 'assize studio --profile PRESET_OR_PATH FILE');
  const { readStudioSource, serveInStudio } = await import('./session/studio.js');
  const source = await readStudioSource(profiles, file, options, io);
  if (options.export === undefined) return serveInStudio(source, options, io);
  const { exportStudio } = await import('../studio.js');
  io.out.write(`${await exportStudio(source, options.export)}\n`);
}
