import type { Command } from 'commander';
import { type InputOptions, portOption, type SessionOptions, trustOf, withInput, withSession } from './options.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/problems.js';

interface StudioVerbOptions extends SessionOptions, InputOptions {
  readonly port?: number;
  readonly export?: string;
}

const HELP = `
The page is served to this machine alone, at an address with a token; it ends
with Ctrl-C. Saving changes weights in the profile's file, and nothing else.
--export writes the same page as one file, with the candidates in it, for
somebody who has no server: it can be opened as it is, and cannot save.

Examples:
  assize studio --profile ./movies.yaml movies.json
  assize studio --profile knowledgepulse traces.jsonl
  assize studio --profile ./movies.yaml movies.json --export out`;

/** `assize studio`: weights as sliders, in a page. */
export function studio(command: Command, io: Io): void {
  withInput(withSession(command))
    .summary('weigh a ranking in a page, and save the weights')
    .description('Opens a page in which weights are sliders, ranks move as they are dragged, and all is explained.')
    .addOption(portOption())
    .option('--export <folder>', 'write the page as a file, and serve nothing')
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: StudioVerbOptions) => run(file, options, io));
}

async function run(file: string | undefined, options: StudioVerbOptions, io: Io): Promise<void> {
  if (options.profile === undefined)
    throw usageError('--profile is missing', 'assize studio --profile PRESET_OR_PATH FILE');
  const [{ readCandidateFile, readContext }, { exportStudio, openStudio }] = await Promise.all([
    import('./session/session.js'),
    import('../studio/index.js'),
  ]);
  const candidates = await readCandidateFile(file ?? '-', io, options.input);
  const context = await readContext(options.context, options.now);
  const source = { profile: options.profile, candidates, context, trust: trustOf(options) };
  if (options.export !== undefined) {
    return io.out.write(`${await exportStudio(source, options.export)}\n`);
  }
  const { url } = await openStudio(source, { port: options.port ?? 0 });
  io.out.write(`${url}\n`);
}
