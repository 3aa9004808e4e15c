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

interface ExplainOptions extends SessionOptions, CandidateOptions {
  readonly format: 'text' | 'json';
}

const HELP = `
${INPUT_HELP}

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
    .argument('<id>', 'the id of the candidate')
    .argument('[file]', 'the candidates: JSON, JSON Lines, CSV or TSV; - is standard input');
  withInput(withSession(verb))
    .addOption(new Option('-f, --format <format>', 'of the output').choices(['text', 'json']).default('text'))
    .option('--generate', "rank what the profile's strategies make")
    .addHelpText('after', HELP)
    .action((id: string, file: string | undefined, options: ExplainOptions) => explain(id, file, options, io));
}

async function explain(id: string, file: string | undefined, options: ExplainOptions, io: Io): Promise<void> {
  const session = await openSession('explain', options, io);
  const ranking = await rankIn(session, await candidatesOf(session, file, options, io));
  const { explanationText } = await import('./engine.js');
  const explanation = ranking.explain(id);
  if (options.format === 'json') return io.out.write(`${JSON.stringify(explanation, undefined, 2)}\n`);
  io.out.write(explanationText(explanation, lookOf(io.out)));
}
