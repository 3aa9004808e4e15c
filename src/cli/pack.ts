import { type Command, Option } from 'commander';
import { usage } from './exit.js';
import type { Io } from './io.js';
import {
  type CandidateOptions,
  candidatesOf,
  INPUT_HELP,
  openSession,
  rankIn,
  type SessionOptions,
  withBudget,
  withInput,
  withSession,
} from './session.js';

/** The options of `assize pack`, as commander gives them. */
interface PackOptions extends SessionOptions, CandidateOptions {
  readonly budget?: number;
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: true;
}

const HELP = `
${INPUT_HELP}

The profile's select.pack says what a candidate costs, and what fills the budget.

Output:
  table   what goes in, in its order, with costs; what stays out, and why
  json    that of assize rank, with budget, and with the cost of each row
  jsonl   a line for each that goes in, in its order, then for each that stays
          out: in, id, cost, score, candidate; and why, and who is in instead

Examples:
  assize pack --profile chat --budget 8000 items.jsonl
  assize pack --profile rag -b 8000 -f jsonl items.jsonl > packed.jsonl`;

/** `assize pack`: candidates in, and out what fits a budget. */
export function addPack(program: Command, io: Io): void {
  const packVerb = program
    .command('pack')
    .summary('pack the best candidates into a budget')
    .description('Ranks candidates by a profile, and packs the best that fit into a budget.')
    .argument('[file]', 'the candidates: JSON, JSON Lines, CSV or TSV; - is standard input');
  withInput(withBudget(withSession(packVerb)))
    .addOption(
      new Option('-f, --format <format>', 'of the output').choices(['table', 'json', 'jsonl']).default('table'),
    )
    .option('--candidates', 'put the candidates themselves into the json')
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: PackOptions) => pack(file, options, io));
}

async function pack(file: string | undefined, options: PackOptions, io: Io): Promise<void> {
  const session = await openSession('pack', options, io);
  const { budget, format } = options;
  if (!session.pipeline.packs) {
    const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } says what a candidate costs';
    throw usage(`profile ${session.pipeline.name} has no select.pack`, hint);
  }
  const ranking = await rankIn(session, await candidatesOf(session, file, options, io), { budget });
  const engine = await import('./engine.js');
  engine.tellWarnings(session.pipeline, io);
  if (format === 'json') return io.out.write(engine.rankingJson(ranking, { candidates: options.candidates }));
  io.out.write(format === 'jsonl' ? engine.packJsonLines(ranking) : engine.packTable(ranking, io.out));
  io.err.write(engine.notices(ranking, io.err));
}
