import type { Command } from 'commander';
import {
  budgetOption,
  candidatesOption,
  formatOption,
  type InputOptions,
  type SessionOptions,
  withInput,
  withSession,
} from './session/options.js';
import { openCliSession, rankInput } from './session/session.js';
import type { Io } from './terminal/io.js';
import { usageError } from './terminal/report-failure.js';

/** The options of `assize pack`, as commander gives them. */
interface PackVerbOptions extends SessionOptions, InputOptions {
  readonly budget?: number;
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: true;
}

const HELP = `
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
  const verb = program
    .command('pack')
    .summary('pack the best candidates into a budget')
    .description('Ranks candidates by a profile, and packs the best that fit into a budget.');
  withInput(withSession(verb))
    .addOption(budgetOption())
    .addOption(formatOption('table', 'json', 'jsonl'))
    .addOption(candidatesOption())
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: PackVerbOptions) => pack(file, options, io));
}

async function pack(file: string | undefined, options: PackVerbOptions, io: Io): Promise<void> {
  const session = await openCliSession('pack', options, io);
  const { format } = options;
  if (!session.pipeline.packs) {
    const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } says what a candidate costs';
    throw usageError(`profile ${session.pipeline.name} has no select.pack`, hint);
  }
  const ranking = await rankInput(session, file, options, io);
  const engine = await import('./lazy-imports.js');
  engine.writeProfileWarnings(session.pipeline, io);
  if (format === 'json') return io.out.write(engine.rankingJson(ranking, { candidates: options.candidates }));
  io.out.write(format === 'jsonl' ? engine.packJsonLines(ranking) : engine.packTable(ranking, io.out));
  io.err.write(engine.runWarningsText(ranking, io.err));
}
