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
The page is served only to this machine, at an address with a token, until
Ctrl-C. Saving changes only weights in the profile's file.
--export writes the page as one file with the candidates in it. It opens in a
browser without a server, and cannot save.
With judgements, the page shows how measures such as nDCG change with the
weights, for each query and on average, and it can tune. Grades are removed from
the candidates, so that profiles cannot read them.
Needs npm install hono @hono/node-server, except for --export.

Examples:
  assize studio --profile ./movies.yaml movies.json --open
  assize studio --profile knowledgepulse traces.jsonl
  assize studio --profile ./old.yaml --profile ./new.yaml movies.json
  assize studio --profile ./movies.yaml movies.json --export out
  assize studio --profile ./traces.yaml --label outcome traces.jsonl
  assize studio --profile ./films.yaml -g query -l clicks films.csv`;

/** `assize studio`: opens a page in which weights are sliders. */
export function studio(command: Command, io: Io): void {
  withQueries(withInput(withContext(command)))
    .summary('edit the weights of a profile in a web page')
    .description(
      'Opens a page with a slider for each weight. The ranking follows the sliders, and explains each score.',
    )
    .option(
      '-p, --profile <preset-or-path>',
      'required: a preset, or a path; repeat it to compare more with the first',
      collect,
    )
    .addOption(untrustedOption())
    .addOption(openOption('open the page in a browser, if one is available'))
    .addOption(portOption())
    .option('--export <folder>', 'write the page as a file instead of serving it')
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
