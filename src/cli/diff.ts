import type { Command } from 'commander';
import {
  type ContextOptions,
  formatOption,
  type InputOptions,
  topOption,
  type TrustOptions,
  untrustedOption,
  withContext,
  withInput,
} from './options.js';
import { jsonText } from './output/json.js';
import { explanationStyle } from './terminal/styler.js';
import type { Io } from './terminal/io.js';
import { noCandidatesError } from './terminal/problems.js';

interface DiffVerbOptions extends ContextOptions, InputOptions, TrustOptions {
  readonly top?: number;
  readonly format: 'text' | 'json';
}

const HELP = `
Both profiles rank the same candidates with the same time (now). A profile is a
preset, or a path, which has a slash or ends in .yaml.

Output:
  text    the number of candidates that moved, entered or left the selection, or
          were refused; then each of them, and the scorers and rules responsible
  json    the same as a tree

Examples:
  assize diff knowledgepulse ./team.yaml traces.jsonl
  assize diff ./team.yaml ./my-profile.yaml --now 2026-06-01 repos.json --top 5`;

/** `assize diff`: compares the rankings of two profiles. */
export function diff(command: Command, io: Io): void {
  const described = command
    .summary('compare the rankings of two profiles')
    .description(
      'Ranks candidates by two profiles, and shows which candidates move, and which scorers and rules move them.',
    )
    .argument('<before>', 'a profile: a preset, or a path')
    .argument('<after>', 'the profile to compare with it');
  withInput(withContext(described.addOption(untrustedOption())))
    .addOption(topOption('how many changed candidates to list; 20 by default'))
    .addOption(formatOption('text', 'json'))
    .addHelpText('after', HELP)
    .action((before: string, after: string, file: string | undefined, options: DiffVerbOptions) =>
      run([before, after], file, options, io),
    );
}

async function run(
  [before, after]: readonly [string, string],
  file: string | undefined,
  { input, absent, top, format, ...options }: DiffVerbOptions,
  io: Io,
): Promise<void> {
  if (file === undefined && io.interactive) throw noCandidatesError('give a file or pipe them in');
  const { openCliSession, rankInSession, readCandidateFile, readContext } = await import('./session/session.js');
  const first = await openCliSession('diff', { ...options, profile: before }, io);
  const second = await openCliSession('diff', { ...options, profile: after }, io);
  const candidates = await readCandidateFile(file ?? '-', io, { input, absent });
  const one = await rankInSession(first, candidates);
  const other = await rankInSession({ ...second, context: await readContext(options.context, one.now) }, candidates);
  const { diffRankings, diffText } = await import('../index.js');
  const found = diffRankings(one, other, top === undefined ? {} : { most: top });
  if (format === 'json') return io.out.write(jsonText(found));
  io.out.write(diffText(found, explanationStyle(io.out)));
}
