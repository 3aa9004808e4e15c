import type { Command } from 'commander';
import {
  budgetOption,
  candidatesOption,
  formatOption,
  type InputOptions,
  type OverrideOptions,
  type SessionOptions,
  timed,
  type TimingsOptions,
  timingsOption,
  withInput,
  withLimits,
  withSession,
} from './options.js';
import { packJsonLines, writeRankingJson } from './output/json.js';
import { packTable } from './output/pack-table.js';
import { isUrgent, runWarningsText } from './output/summary.js';
import type { Io } from './terminal/io.js';
import { usageError, writeProblems } from './terminal/problems.js';

interface PackVerbOptions extends SessionOptions, InputOptions, OverrideOptions, TimingsOptions {
  readonly budget?: number;
  readonly format: 'table' | 'json' | 'jsonl';
  readonly candidates?: true;
}

const HELP = `
The profile's select.pack says what a candidate costs, and what fills the budget.

Output:
  table   what goes in, in its order, with costs; what is left out, and why
  json    that of assize rank, with budget, and with the cost of each row
  jsonl   a line for each that goes in, in its order, then for each that is left
          out: in, id, index, cost, score, candidate; what the score is made of;
          and why, and what was kept instead

Examples:
  assize pack --profile chat --budget 8000 items.jsonl
  assize pack --profile rag -b 8000 -f jsonl items.jsonl > packed.jsonl`;

/** `assize pack`: fills a budget with the best candidates. */
export function pack(command: Command, io: Io): void {
  withLimits(withInput(withSession(command)))
    .summary('pack the best candidates into a budget')
    .description('Ranks candidates by a profile, and packs the best that fit into a budget.')
    .addOption(budgetOption())
    .addOption(formatOption('table', 'json', 'jsonl'))
    .addOption(candidatesOption())
    .addOption(timingsOption())
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: PackVerbOptions) => timed(options, io, () => run(file, options, io)));
}

async function run(file: string | undefined, options: PackVerbOptions, io: Io): Promise<void> {
  const { openCliSession, rankInput } = await import('./session/session.js');
  const session = await openCliSession('pack', options, io);
  const { format } = options;
  if (!session.pipeline.packs) {
    const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } says what a candidate costs';
    throw usageError(`profile ${session.pipeline.name} has no select.pack`, hint);
  }
  const ranking = await rankInput(session, file, options, io);
  const urgent = format === 'json' ? [] : ranking.warnings.filter(isUrgent);
  writeProblems([...session.pipeline.warnings, ...urgent], io);
  if (format === 'json') return writeRankingJson(ranking, { candidates: options.candidates }, io.out);
  io.out.write(format === 'jsonl' ? packJsonLines(ranking) : packTable(ranking, io.out));
  io.err.write(runWarningsText(ranking, io.err));
}
