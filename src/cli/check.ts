import type { Command } from 'commander';
import type { ProfileDescription } from '../profile/index.js';
import { compareByPlace, counted, AssizeError, type Problem, problemJson, escapeInvisible } from '../base/index.js';
import type { Pipeline } from '../pipeline/index.js';
import { formatOption, profileArgument, trustOf, type TrustOptions, untrustedOption } from './options.js';
import { workflowCommand } from './output/format.js';
import { jsonText } from './output/json.js';
import type { Io } from './terminal/io.js';
import { relativeToFolder, writeProblems } from './terminal/problems.js';

const HELP = `
With --format github, GitHub Actions shows each problem at its line. Warnings
do not fail the workflow.

Examples:
  assize check knowledgepulse
  assize check ./my-profile.yaml
  assize check ./my-profile.yaml --format json`;

interface CheckOptions extends TrustOptions {
  readonly format: 'text' | 'json' | 'github';
}

/** `assize check`: loads a profile and lists its errors and warnings. */
export function check(command: Command, io: Io): void {
  command
    .summary('check a profile')
    .description('Loads a profile, the profiles that it extends and its plugins, and lists all errors and warnings.')
    .addArgument(profileArgument())
    .addOption(untrustedOption())
    .addOption(formatOption('text', 'json', 'github'))
    .addHelpText('after', HELP)
    .action((profile: string, options: CheckOptions) => run(profile, options, io));
}

async function run(profile: string, { format, ...options }: CheckOptions, io: Io): Promise<void> {
  const { createPipeline } = await import('../index.js');
  const checked = createPipeline(profile, { trust: trustOf(options) });
  if (format === 'text') return writeText(await checked, io);
  const pipeline = await checked.catch((error: unknown) => {
    if (error instanceof AssizeError) return error;
    throw error;
  });
  const isValid = !(pipeline instanceof AssizeError);
  const problems = isValid ? pipeline.warnings : pipeline.problems;
  const shown = problems.toSorted(compareByPlace).map((problem) => relativeToFolder(problem, io.folder));
  if (format === 'json') io.out.write(checkJson(profile, isValid ? pipeline : undefined, shown));
  else io.out.write(shown.map(workflowCommand).join(''));
  if (!isValid) throw new AssizeError([]); // the problems are already printed
}

function writeText(pipeline: Pipeline, io: Io): void {
  const { length } = pipeline.warnings;
  const warnings = length === 0 ? '' : `, with ${counted(length, 'warning')}`;
  writeProblems(pipeline.warnings, io);
  io.out.write(`${escapeInvisible(pipeline.name)}: fine${warnings} (${contentsText(pipeline.describe())})\n`);
}

/**
 * The result as JSON. The keys are stable; new ones may be added.
 *
 * - `profile`: its name; if the profile has errors, the name or path that was given
 * - `valid`: whether it has no errors
 * - `problems`: the errors, or the warnings of a valid profile: `{ severity, code, message, path?, place?, hint? }`
 * - `entries`: their ids by kind, of a valid profile
 */
const checkJson = (profile: string, pipeline: Pipeline | undefined, problems: readonly Problem[]): string =>
  jsonText({
    profile: pipeline?.name ?? profile,
    valid: pipeline !== undefined,
    problems: problems.map(problemJson),
    ...(pipeline && { entries: pipeline.describe() }),
  });

/** The entries of a profile by kind: `2 measures, 4 scorers, 3 rules`. */
function contentsText(description: ProfileDescription): string {
  const parts = Object.entries(description).flatMap(([kind, { length }]: [string, readonly string[]]) =>
    length === 0 ? [] : [length === 1 ? `1 ${singular(kind)}` : `${length} ${kind}`],
  );
  return parts.join(', ') || 'it has no entries: every candidate scores 0';
}

const singular = (kind: string): string =>
  kind === 'vetoes' ? 'veto' : kind === 'strategies' ? 'strategy' : kind.slice(0, -1);
