import type { Command } from 'commander';
import { jsonText } from './output/json/json-text.js';
import { formatOption, profileArgument } from './session/options.js';
import type { Io } from './terminal/io.js';
import { createStyler } from './terminal/styler.js';

/** The options of `assize show`, as commander gives them. */
interface ShowVerbOptions {
  readonly defaults?: boolean;
  readonly format: 'yaml' | 'json';
}

const HELP = `
What is printed is a profile: it extends nothing, names all plugins, and scores
as the one that it shows. Paths among params stay as they were written.
Where --defaults gives a scorer no on_error, there are two: what it fails on is
refused, and where it cannot be prepared the run fails.

Examples:
  assize show knowledgepulse
  assize show ./team.yaml --defaults
  assize show ./team.yaml --format json`;

/** `assize show`: the profile that a profile comes to, with the file and line of every value. */
export function addShow(program: Command, io: Io): void {
  program
    .command('show')
    .summary('print a profile with all that it extends')
    .description('Prints the profile that a profile comes to, with the file and line that each value is from.')
    .addArgument(profileArgument())
    .option('--defaults', 'say also what is not said')
    .addOption(formatOption('yaml', 'json'))
    .addHelpText('after', HELP)
    .action((profile: string, options: ShowVerbOptions) => show(profile, options, io));
}

async function show(ref: string, { defaults = false, format }: ShowVerbOptions, io: Io): Promise<void> {
  const { effectiveProfile } = await import('./lazy-imports.js');
  const profile = await effectiveProfile(ref, defaults);
  if (format === 'json') {
    io.out.write(jsonText(profile));
    return;
  }
  const { profileYaml } = await import('./output/profile-yaml.js');
  io.out.write(profileYaml(profile, io.folder, createStyler(io.out.colour)));
}
