import { type Command, Option } from 'commander';
import type { Io } from './io.js';
import { lookOf } from './paint.js';
import {
  type CandidateOptions,
  candidatesOf,
  INPUT_HELP,
  openSession,
  rankIn,
  type SessionOptions,
  withInput,
  withSession,
} from './session.js';

interface CompareOptions extends SessionOptions, CandidateOptions {
  readonly format: 'text' | 'json';
}

const HELP = `
${INPUT_HELP}

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
    .argument('<b>', 'the id of another')
    .argument('[file]', 'the candidates: JSON, JSON Lines, CSV or TSV; - is standard input');
  withInput(withSession(verb))
    .addOption(new Option('-f, --format <format>', 'of the output').choices(['text', 'json']).default('text'))
    .option('--generate', "rank what the profile's strategies make")
    .addHelpText('after', HELP)
    .action((a: string, b: string, file: string | undefined, options: CompareOptions) =>
      compare([a, b], file, options, io),
    );
}

async function compare(
  [a, b]: readonly [string, string],
  file: string | undefined,
  options: CompareOptions,
  io: Io,
): Promise<void> {
  const session = await openSession('compare', options, io);
  const ranking = await rankIn(session, await candidatesOf(session, file, options, io));
  const { comparisonText } = await import('./engine.js');
  const comparison = await ranking.compare(a, b);
  if (options.format === 'json') return io.out.write(`${JSON.stringify(comparison, undefined, 2)}\n`);
  io.out.write(comparisonText(comparison, lookOf(io.out)));
}
