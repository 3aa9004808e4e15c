import type { Command } from 'commander';
import { jsonText } from './output/json/json-text.js';
import {
  type CandidateOptions,
  formatOption,
  generateOption,
  type SessionOptions,
  withInput,
  withSession,
} from './session/options.js';
import { openCliSession, rankInput } from './session/session.js';
import type { Io } from './terminal/io.js';
import { explanationStyle } from './terminal/styler.js';

interface CompareVerbOptions extends SessionOptions, CandidateOptions {
  readonly format: 'text' | 'json';
}

const HELP = `
The candidates are ranked as \`assize rank\` ranks them: what one scored may depend
on the others. A candidate without an id is called by its position: '#0'.

Output:
  text    which comes first, scorer by scorer what makes the difference, and what
          would have to change, alone, for the other to come first
  json    the same as a tree, with what would change nothing, too

Examples:
  assize compare --profile knowledgepulse trace-7 trace-9 traces.jsonl
  assize compare --profile ./movies.yaml --format json 'Toy Story' Heat movies.json`;

/** `assize compare`: why one candidate comes before another. */
export function addCompare(program: Command, io: Io): void {
  const verb = program
    .command('compare')
    .summary('say why one candidate comes before another')
    .description('Ranks candidates, and says which of two comes first, why, and what would turn them.')
    .argument('<a>', 'the id of one candidate')
    .argument('<b>', 'the id of another');
  withInput(withSession(verb))
    .addOption(formatOption('text', 'json'))
    .addOption(generateOption())
    .addHelpText('after', HELP)
    .action((a: string, b: string, file: string | undefined, options: CompareVerbOptions) =>
      compare([a, b], file, options, io),
    );
}

async function compare(
  [a, b]: readonly [string, string],
  file: string | undefined,
  options: CompareVerbOptions,
  io: Io,
): Promise<void> {
  const session = await openCliSession('compare', options, io);
  const ranking = await rankInput(session, file, options, io);
  const { comparisonText } = await import('./lazy-imports.js');
  const comparison = await ranking.compare(a, b);
  if (options.format === 'json') return io.out.write(jsonText(comparison));
  io.out.write(comparisonText(comparison, explanationStyle(io.out)));
}
