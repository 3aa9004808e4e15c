import type { Command } from 'commander';
import type { ProfileDescription } from '../profile/index.js';
import {
  compareByPlace,
  counted,
  AssizeError,
  type Problem,
  problemJson,
  escapeInvisible,
  escapeInvisibleInJson,
} from '../base/index.js';
import type { Pipeline } from '../pipeline/index.js';
import {
  type ContextOptions,
  formatOption,
  type InputOptions,
  profileArgument,
  type TrustOptions,
  untrustedOption,
  withContext,
  withInputOptions,
  trustOf,
} from './options.js';
import { workflowCommand } from './output/format.js';
import { jsonText } from './output/json.js';
import type { CliSession } from './session/session.js';
import type { Io } from './terminal/io.js';
import { relativeToFolder, writeProblems } from './terminal/problems.js';
import { createStyler } from './terminal/styler.js';

const HELP = `
With --format github, GitHub Actions shows each problem at its line. Warnings
do not fail the workflow.

With --data, the candidates of a file are ranked, and the warnings include
probable mistakes that only they show: a scorer that gives every candidate the
same, leaves its range, or outweighs all others; an expression that fails on
many candidates; a comparison of values of different types.

Examples:
  assize check knowledgepulse
  assize check ./my-profile.yaml
  assize check ./my-profile.yaml --format json
  assize check ./team.yaml --data repos.json`;

interface CheckOptions extends TrustOptions, ContextOptions, InputOptions {
  readonly data?: string;
  readonly format: 'text' | 'json' | 'github';
}

/** `assize check`: loads a profile and lists its errors and warnings. */
export function check(command: Command, io: Io): void {
  withInputOptions(withContext(command))
    .summary('check a profile')
    .description('Loads a profile, the profiles that it extends and its plugins, and lists all errors and warnings.')
    .addArgument(profileArgument())
    .addOption(untrustedOption())
    .option('-d, --data <file>', 'candidates, whose scores are checked as well')
    .addOption(formatOption('text', 'json', 'github'))
    .addHelpText('after', HELP)
    .action((profile: string, options: CheckOptions) => run(profile, options, io));
}

async function run(profile: string, { format, data, ...options }: CheckOptions, io: Io): Promise<void> {
  const { openCliSession } = await import('./session/session.js');
  const opened = openCliSession('check', { profile, ...options });
  const session =
    format === 'text'
      ? await opened
      : await opened.catch((error: unknown) => {
          if (error instanceof AssizeError) return error;
          throw error;
        });
  const isValid = !(session instanceof AssizeError);
  const problems = isValid ? await warningsOf(session, data, options, io) : session.problems;
  if (format === 'text' && isValid) return writeText(session.pipeline, problems, io);
  const shown = problems.toSorted(compareByPlace).map((problem) => relativeToFolder(problem, io.folder));
  if (format === 'json') io.out.write(checkJson(profile, isValid ? session : undefined, shown));
  else io.out.write(shown.map(workflowCommand).join(''));
  if (!isValid) throw new AssizeError([]); // the problems are already printed
}

/** The warnings about a profile and, if there is a file of candidates, about their ranking. */
async function warningsOf(
  session: CliSession,
  data: string | undefined,
  options: InputOptions,
  io: Io,
): Promise<readonly Problem[]> {
  const { warnings } = session.pipeline;
  if (data === undefined) return warnings;
  const { rankInput } = await import('./session/session.js');
  const ranking = await rankInput(session, data, { ...options, prune: false }, io);
  const { scoreWarnings } = ranking;
  // `scoreWarnings` covers all candidates: an entry that is out of its range is reported once.
  const isCovered = (problem: Problem) =>
    problem.code === 'ASZ713' && scoreWarnings.some(({ code, path }) => code === 'ASZ713' && path === problem.path);
  return [...warnings, ...ranking.warnings.filter((problem) => !isCovered(problem)), ...scoreWarnings];
}

function writeText(pipeline: Pipeline, problems: readonly Problem[], io: Io): void {
  const { length } = problems;
  const warnings = length === 0 ? '' : `, with ${counted(length, 'warning')}`;
  writeProblems(problems, io);
  io.out.write(`${escapeInvisible(pipeline.name)}: fine${warnings} (${contentsText(pipeline.describe())})\n`);
}

/**
 * The result as JSON. The keys are stable; new ones may be added.
 *
 * - `profile`: its name; if the profile has errors, the name or path that was given
 * - `valid`: whether it has no errors
 * - `problems`: the errors, or the warnings of a valid profile: `{ severity, code, message, path?, place?, hint? }`
 * - `entries`: their ids by kind, of a valid profile
 * - `reads`: the fields of candidates that a valid profile reads; missing if it may read any field
 */
const checkJson = (profile: string, session: CliSession | undefined, problems: readonly Problem[]): string => {
  const fields = session?.compiled.plan.columnReader.fields;
  return jsonText({
    profile: session?.pipeline.name ?? profile,
    valid: session !== undefined,
    problems: problems.map(problemJson),
    ...(session && { entries: session.pipeline.describe() }),
    ...(fields && { reads: [...fields] }),
  });
};

/** The entries of a profile by kind: `2 measures, 4 scorers, 3 rules`. */
function contentsText(description: ProfileDescription): string {
  const parts = Object.entries(description).flatMap(([kind, { length }]: [string, readonly string[]]) =>
    length === 0 ? [] : [length === 1 ? `1 ${singular(kind)}` : `${length} ${kind}`],
  );
  return parts.join(', ') || 'it has no entries: every candidate scores 0';
}

const singular = (kind: string): string =>
  kind === 'vetoes' ? 'veto' : kind === 'strategies' ? 'strategy' : kind.slice(0, -1);

interface ShowVerbOptions extends TrustOptions {
  readonly defaults?: boolean;
  readonly format: 'yaml' | 'json';
}

const SHOW_HELP = `
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
    .addHelpText('after', SHOW_HELP)
    .action((profile: string, options: ShowVerbOptions) => runShow(profile, options, io));
}

async function runShow(ref: string, { defaults = false, format, ...options }: ShowVerbOptions, io: Io): Promise<void> {
  const { effectiveProfile } = await import('../pipeline/create-pipeline.js');
  const profile = await effectiveProfile(ref, { defaults, trust: trustOf(options) });
  if (format === 'json') return io.out.write(`${escapeInvisibleInJson(JSON.stringify(profile, undefined, 2))}\n`);
  const { profileYaml } = await import('./show/profile-yaml.js');
  io.out.write(profileYaml(profile, io.folder, createStyler(io.out.colour)));
}
