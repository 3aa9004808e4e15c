import type { Command } from 'commander';
import {
  collect,
  type ContextOptions,
  type InputOptions,
  portOption,
  type TrustOptions,
  trustOf,
  untrustedOption,
  withContext,
  withInput,
} from './options.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/problems.js';

interface StudioVerbOptions extends ContextOptions, TrustOptions, InputOptions {
  readonly profile?: readonly string[];
  readonly port?: number;
  readonly export?: string;
  readonly label?: string;
}

const HELP = `
The page is served to this machine alone, at an address with a token; it ends
with Ctrl-C. Saving changes weights in the profile's file, and nothing else.
--export writes the same page as one file, with the candidates in it, for
somebody who has no server: it can be opened as it is, and cannot save.
With --label, nDCG and others move with the weights; the grade is taken out of
the candidates, so that no profile can read it.

Examples:
  assize studio --profile ./movies.yaml movies.json
  assize studio --profile knowledgepulse traces.jsonl
  assize studio --profile ./old.yaml --profile ./new.yaml movies.json
  assize studio --profile ./movies.yaml movies.json --export out
  assize studio --profile ./traces.yaml --label outcome traces.jsonl`;

/** `assize studio`: weights as sliders, in a page. */
export function studio(command: Command, io: Io): void {
  withInput(withContext(command))
    .summary('weigh a ranking in a page, and save the weights')
    .description('Opens a page in which weights are sliders, ranks move as they are dragged, and all is explained.')
    .option(
      '-p, --profile <preset-or-path>',
      'required: a preset, or a path; more are compared with the first',
      collect,
    )
    .addOption(untrustedOption())
    .addOption(portOption())
    .option('--export <folder>', 'write the page as a file, and serve nothing')
    .option('-l, --label <path>', 'where in a candidate its grade is: a number, true or false')
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: StudioVerbOptions) => run(file, options, io));
}

async function run(file: string | undefined, options: StudioVerbOptions, io: Io): Promise<void> {
  const [profile, ...others] = options.profile ?? [];
  if (profile === undefined) throw usageError('--profile is missing', 'assize studio --profile PRESET_OR_PATH FILE');
  const [{ readCandidateFile, readContext }, { exportStudio, openStudio }] = await Promise.all([
    import('./session/session.js'),
    import('../studio/index.js'),
  ]);
  const context = await readContext(options.context, options.now);
  const judged =
    options.label === undefined
      ? { candidates: await readCandidateFile(file ?? '-', io, options.input) }
      : await readJudged(file ?? '-', [profile, ...others], options.label, options, io);
  const source = { profile, others, ...judged, context, trust: trustOf(options) };
  if (options.export !== undefined) {
    return io.out.write(`${await exportStudio(source, options.export)}\n`);
  }
  const { url } = await openStudio(source, { port: options.port ?? 0 });
  io.out.write(`${url}\n`);
}

/** Candidates with a grade in each, which is taken out; a profile that reads it is refused. */
async function readJudged(
  file: string,
  profiles: readonly string[],
  label: string,
  options: StudioVerbOptions,
  io: Io,
): Promise<{ readonly candidates: readonly object[]; readonly grades: readonly (number | undefined)[] }> {
  const [{ createPipeline }, { checkLabel }, { readCliDataset }] = await Promise.all([
    import('../container.js'),
    import('../evaluate/index.js'),
    import('./session/dataset.js'),
  ]);
  const pipelines = await Promise.all(
    profiles.map(async (one) => [one, await createPipeline(one, { trust: trustOf(options) })] as const),
  );
  checkLabel(Object.fromEntries(pipelines), label);
  const { queries } = await readCliDataset(file, options, io, undefined);
  const [query] = queries;
  return { candidates: query?.candidates ?? [], grades: query?.grades ?? [] };
}
