import type { Command } from 'commander';
import type { ProfileDescription } from '../profile/profile-queries.js';
import { profileArgument } from './options.js';
import { counted } from './output/format.js';
import type { Io } from './terminal/io.js';
import { writeProblems } from './terminal/problems.js';

const HELP = `
Examples:
  assize check knowledgepulse
  assize check ./my-profile.yaml`;

/** `assize check`: loads a profile and lists its errors and warnings. */
export function check(command: Command, io: Io): void {
  command
    .summary('say what is wrong with a profile')
    .description('Loads a profile with all that it extends and its plugins, and says everything that is wrong with it.')
    .addArgument(profileArgument())
    .addHelpText('after', HELP)
    .action((profile: string) => run(profile, io));
}

async function run(profile: string, io: Io): Promise<void> {
  const { createPipeline } = await import('../index.js');
  const pipeline = await createPipeline(profile);
  const { length } = pipeline.warnings;
  const warnings = length === 0 ? '' : `, with ${counted(length, 'warning')}`;
  writeProblems(pipeline.warnings, io);
  io.out.write(`${pipeline.name}: fine${warnings} (${contentsText(pipeline.describe())})\n`);
}

/** The entries of a profile by kind: `2 measures, 4 scorers, 3 rules`. */
function contentsText(description: ProfileDescription): string {
  const parts = Object.entries(description).flatMap(([kind, { length }]: [string, readonly string[]]) =>
    length === 0 ? [] : [length === 1 ? `1 ${singular(kind)}` : `${length} ${kind}`],
  );
  return parts.join(', ') || 'it has no entries: every candidate scores 0';
}

const singular = (kind: string): string =>
  kind === 'vetoes' ? 'veto' : kind === 'strategies' ? 'strategy' : kind.slice(0, -1);
