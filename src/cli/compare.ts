import type { Command } from 'commander';
import { type ExplanationOptions, withExplanation } from './options.js';
import { jsonText } from './output/json.js';
import { namedCandidate } from './session/named-candidate.js';
import { explanationStyle } from './terminal/styler.js';
import type { Io } from './terminal/io.js';

const HELP = `
Output:
  text    which comes first, the difference scorer by scorer, and the single
          changes that would reverse the order
  json    the same as a tree, with the changes that would not reverse it

Examples:
  assize compare --profile knowledgepulse trace-7 trace-9 traces.jsonl
  assize compare --profile ./movies.yaml --format json 'Toy Story' Heat movies.json
  assize compare --profile ./team.yaml '#2' '#1' repos.json`;

/** `assize compare`: explains why one candidate ranks above another. */
export function compare(command: Command, io: Io): void {
  const described = command
    .summary('explain why one candidate ranks above another')
    .description('Ranks candidates, and shows which of two comes first, why, and what would reverse their order.')
    .argument('<a>', "one candidate: its id, its row in the table of rank: '#3', or its position in the input: '@3'")
    .argument('<b>', 'the other candidate');
  withExplanation(described)
    .addHelpText('after', HELP)
    .action((a: string, b: string, file: string | undefined, options: ExplanationOptions) =>
      run([a, b], file, options, io),
    );
}

async function run(
  [a, b]: readonly [string, string],
  file: string | undefined,
  options: ExplanationOptions,
  io: Io,
): Promise<void> {
  const { openCliSession, rankInput } = await import('./session/session.js');
  const session = await openCliSession('compare', options, io);
  const ranking = await rankInput(session, file, options, io);
  const comparison = await ranking.compare(namedCandidate(ranking, a), namedCandidate(ranking, b));
  if (options.format === 'json') return io.out.write(jsonText(comparison));
  const { comparisonText } = await import('../index.js');
  io.out.write(comparisonText(comparison, explanationStyle(io.out)));
}
