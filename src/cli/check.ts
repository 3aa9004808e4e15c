import type { Command } from 'commander';
import type { ProfileDescription } from '../profile/profile-description.js';
import { counted } from './output/text.js';
import { profileArgument } from './session/options.js';
import type { Io } from './terminal/io.js';

const HELP = `
Examples:
  assize check knowledgepulse
  assize check ./my-profile.yaml`;

/** `assize check`: says whether a profile can be used, or everything that is wrong with it. */
export function addCheck(program: Command, io: Io): void {
  program
    .command('check')
    .summary('say what is wrong with a profile')
    .description('Loads a profile with all that it extends and its plugins, and says everything that is wrong with it.')
    .addArgument(profileArgument())
    .addHelpText('after', HELP)
    .action((profile: string) => check(profile, io));
}

async function check(ref: string, io: Io): Promise<void> {
  const { createPipeline, writeProfileWarnings } = await import('./lazy-imports.js');
  const pipeline = await createPipeline(ref);
  const { length } = pipeline.warnings;
  const doubts = length === 0 ? '' : `, with ${counted(length, 'warning')}`;
  writeProfileWarnings(pipeline, io);
  io.out.write(`${pipeline.name}: fine${doubts} (${contentsText(pipeline.describe())})\n`);
}

/** `2 measures, 4 scorers, 3 rules`. */
function contentsText(description: ProfileDescription): string {
  const parts = Object.entries(description).flatMap(([kind, { length }]: [string, readonly string[]]) =>
    length === 0 ? [] : [length === 1 ? `1 ${singular(kind)}` : `${length} ${kind}`],
  );
  return parts.join(', ') || 'it has no entries: every candidate scores 0';
}

const singular = (kind: string): string =>
  kind === 'vetoes' ? 'veto' : kind === 'strategies' ? 'strategy' : kind.slice(0, -1);
