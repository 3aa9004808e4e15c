import type { Command } from 'commander';
import { formatOption, profileArgument, trustOf, type TrustOptions, untrustedOption } from './options.js';
import { escapeInvisibleInJson } from '../base/index.js';
import { createStyler } from './terminal/styler.js';
import type { Io } from './terminal/io.js';

interface ShowVerbOptions extends TrustOptions {
  readonly defaults?: boolean;
  readonly format: 'yaml' | 'json';
}

const HELP = `
The output is a complete profile: it extends nothing, names all plugins, and
scores like the original. Paths in params are not changed.
--defaults does not add on_error to a scorer, because its default has two parts:
if scoring a candidate fails, the candidate is refused; if prepare fails, the
run fails.

Examples:
  assize show knowledgepulse
  assize show ./team.yaml --defaults
  assize show ./team.yaml --format json`;

/** `assize show`: prints a resolved profile, with the file and line of every value. */
export function show(command: Command, io: Io): void {
  command
    .summary('print a profile merged with those that it extends')
    .description('Prints a profile merged with the profiles that it extends, with the file and line of each value.')
    .addArgument(profileArgument())
    .addOption(untrustedOption())
    .option('--defaults', 'include the default values')
    .addOption(formatOption('yaml', 'json'))
    .addHelpText('after', HELP)
    .action((profile: string, options: ShowVerbOptions) => run(profile, options, io));
}

async function run(ref: string, { defaults = false, format, ...options }: ShowVerbOptions, io: Io): Promise<void> {
  const { effectiveProfile } = await import('../pipeline/create-pipeline.js');
  const profile = await effectiveProfile(ref, { defaults, trust: trustOf(options) });
  if (format === 'json') return io.out.write(`${escapeInvisibleInJson(JSON.stringify(profile, undefined, 2))}\n`);
  const { profileYaml } = await import('./show/profile-yaml.js');
  io.out.write(profileYaml(profile, io.folder, createStyler(io.out.colour)));
}
