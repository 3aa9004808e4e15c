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

interface ExplainVerbOptions extends SessionOptions, CandidateOptions {
  readonly format: 'text' | 'json';
}

const HELP = `
The candidates are ranked as \`assize rank\` ranks them: what one scored may depend
on the others. A candidate without an id is called by its position: '#0'.

Output:
  text    what became of it, scorer by scorer, rule by rule, and which vetoes
          it passed
  json    the same as a tree, with every number and field that was read

Examples:
  assize explain --profile knowledgepulse trace-7 traces.jsonl
  assize explain --profile ./movies.yaml --format json 'Toy Story' movies.json`;

/** `assize explain`: why one candidate came out as it did. */
export function addExplain(program: Command, io: Io): void {
  const verb = program
    .command('explain')
    .summary('say why a candidate has its score')
    .description('Ranks candidates, and says of one of them how its score came about, or what refused it.')
    .argument('<id>', 'the id of the candidate');
  withInput(withSession(verb))
    .addOption(formatOption('text', 'json'))
    .addOption(generateOption())
    .addHelpText('after', HELP)
    .action((id: string, file: string | undefined, options: ExplainVerbOptions) => explain(id, file, options, io));
}

async function explain(id: string, file: string | undefined, options: ExplainVerbOptions, io: Io): Promise<void> {
  const session = await openCliSession('explain', options, io);
  const ranking = await rankInput(session, file, options, io);
  const { explanationText } = await import('./lazy-imports.js');
  const explanation = ranking.explain(id);
  if (options.format === 'json') return io.out.write(jsonText(explanation));
  io.out.write(explanationText(explanation, explanationStyle(io.out)));
}
