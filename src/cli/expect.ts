import type { Command } from 'commander';
import { compareByPlace, AssizeError, problemJson } from '../base/index.js';
import {
  type ContextOptions,
  formatOption,
  type InputOptions,
  profileArgument,
  withContext,
  withInput,
} from './options.js';
import { jsonText } from './output/json.js';
import { workflowCommand } from './output/format.js';
import type { Io } from './terminal/io.js';
import { relativeToFolder, writeProblems } from './terminal/problems.js';

interface ExpectVerbOptions extends ContextOptions, InputOptions {
  readonly format: 'text' | 'json' | 'github';
}

const HELP = `
The file is YAML, with a list of expectations:
  expect:
    - compass above sextant
    - atlas refused by archived
    - compass in top 3
    - "the old map" scores at least 0.5
More forms: below, scores at most, refused, selected, not in top 3, not refused,
not selected. A file may have cases: each has a name, a context, candidates and
expect; the context and candidates beside the list of cases apply to all.
Each failure is listed with its place and the reason. With --format github,
GitHub Actions shows it at its line.

Examples:
  assize expect golden.yaml ./repos.yaml repos.json
  assize expect golden.yaml ./repos.yaml repos.json --format json
  assize expect golden.yaml ./repos.yaml --now 2026-06-01 repos.json`;

/** `assize expect`: checks expectations about a profile's ranking. */
export function expect(command: Command, io: Io): void {
  const described = command
    .summary('check expectations about a ranking')
    .description('Ranks candidates, and lists the expectations of a file that do not hold, and why.')
    .argument('<golden>', 'a YAML file with expectations')
    .addArgument(profileArgument());
  withInput(withContext(described))
    .addOption(formatOption('text', 'json', 'github'))
    .addHelpText('after', HELP)
    .action((file: string, profile: string, candidates: string | undefined, options: ExpectVerbOptions) =>
      run(file, { profile, candidates }, options, io),
    );
}

async function run(
  file: string,
  { profile, candidates }: { readonly profile: string; readonly candidates: string | undefined },
  { input, absent, format, context, now }: ExpectVerbOptions,
  io: Io,
): Promise<void> {
  const { openCliSession, readCandidateFile } = await import('./session/session.js');
  const { checkExpectations } = await import('../testing/check-expectations.js');
  const { needCandidates, readExpectations } = await import('../testing/expectations.js');
  const expectations = await readExpectations(file);
  const session = await openCliSession(
    'expect',
    { profile, ...(context !== undefined && { context }), ...(now !== undefined && { now }) },
    io,
  );
  const read =
    candidates === undefined && (io.interactive || !needCandidates(expectations))
      ? undefined
      : await readCandidateFile(candidates ?? '-', io, { input, absent }, session.compiled);
  const { checked, failures } = await checkExpectations(session.pipeline, expectations, {
    candidates: read,
    context: session.context,
  });
  const shown = failures.toSorted(compareByPlace).map((problem) => relativeToFolder(problem, io.folder));
  const { name } = session.pipeline;
  if (format === 'json') {
    const found = { profile: name, checked, failed: shown.length, failures: shown.map(problemJson) };
    io.out.write(jsonText(found));
  } else if (format === 'github') io.out.write(shown.map(workflowCommand).join(''));
  else {
    writeProblems(shown, io);
    io.out.write(`${name}: ${checked - shown.length} of ${checked} expectations hold\n`);
  }
  if (shown.length > 0) throw new AssizeError([]); // the failures are already printed
}
