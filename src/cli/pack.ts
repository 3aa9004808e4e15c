import type { Command } from 'commander';
import type { BudgetOptimality, BudgetUse, CallBudget } from '../engine/index.js';
import { refusedCounts, type Ranking } from '../ranking/index.js';
import {
  count,
  extentOf,
  lastColumn,
  type TableColumn,
  tableText,
  escapeInvisible,
  truncateEnd,
  truncateMiddle,
} from '../base/index.js';
import {
  budgetOption,
  candidatesOption,
  formatOption,
  type InputOptions,
  type OverrideOptions,
  type SessionOptions,
  timed,
  timingsOption,
  type TimingsOptions,
  withInput,
  withLimits,
  withSession,
} from './options.js';
import { columnFormatter, partialCells } from './output/format.js';
import { packJsonLines, writeRankingJson } from './output/json.js';
import { countsLine, isUrgent, prunedLines, refusalLines, runWarningsText } from './output/summary.js';
import { createStyler } from './terminal/styler.js';
import type { Io, OutputStyle } from './terminal/io.js';
import { usageError, writeProblems } from './terminal/problems.js';

interface PackVerbOptions extends SessionOptions, InputOptions, OverrideOptions, TimingsOptions {
  readonly budget?: CallBudget;
  readonly format: 'table' | 'json' | 'jsonl' | 'messages';
  readonly candidates?: true;
}

const HELP = `
The profile's select.pack defines the cost of a candidate and the packing algorithm.

Output:
  table   the packed candidates in order, with costs; the others, and why they
          were not packed
  json    that of assize rank, with budget, and with the cost of each row
  jsonl   a line for each packed candidate in order, then for each other one:
          in, id, index, cost, score, candidate; the terms of the score; the
          reason, and the candidate that was kept instead
  messages  the packed messages as a list that the provider accepts

Examples:
  assize pack --profile chat --budget 8000 items.jsonl
  assize pack --profile rag -b 8000 -f jsonl items.jsonl > packed.jsonl
  assize pack -p conversation -b max=8000,output_reserve=1000 conversation.json
  assize pack -p conversation -b 8000 -f messages conversation.json`;

/** `assize pack`: fills a budget with the best candidates. */
export function pack(command: Command, io: Io): void {
  withLimits(withInput(withSession(command)))
    .summary('pack the best candidates into a budget')
    .description('Ranks candidates by a profile, and packs the best that fit into a budget.')
    .addOption(budgetOption())
    .addOption(formatOption('table', 'json', 'jsonl', 'messages'))
    .addOption(candidatesOption())
    .addOption(timingsOption())
    .addHelpText('after', HELP)
    .action((file: string | undefined, options: PackVerbOptions) => timed(options, io, () => run(file, options, io)));
}

async function run(file: string | undefined, options: PackVerbOptions, io: Io): Promise<void> {
  const { openCliSession, rankInput } = await import('./session/session.js');
  const session = await openCliSession('pack', options, io, file === undefined ? [] : [file]);
  const { format } = options;
  if (!session.pipeline.packs) {
    const hint = 'select: { pack: { cost: candidate.tokens, class: GreedyPack } } sets the cost of a candidate';
    throw usageError(`profile ${session.pipeline.name} has no select.pack`, hint);
  }
  const ranking = await rankInput(session, file, options, io);
  if (format === 'messages') {
    const { writeMessages } = await import('./output/message-list.js');
    return writeMessages(session.pipeline, ranking, io);
  }
  const urgent = format === 'json' ? [] : ranking.warnings.filter(isUrgent);
  writeProblems([...session.pipeline.warnings, ...urgent], io);
  if (format === 'json') return writeRankingJson(ranking, { candidates: options.candidates }, io.out);
  io.out.write(format === 'jsonl' ? packJsonLines(ranking) : packTable(ranking, io.out));
  io.err.write(runWarningsText(ranking, io.err));
}

const MAX_ID_WIDTH = 32;
const MAX_INSTEAD_WIDTH = 16;

/** The number of candidates outside the budget that have a row. */
const MAX_LEFT_OUT_ROWS = 20;

/** The packed candidates in order, and the others with the reason. */
function packTable(ranking: Ranking<unknown>, style: OutputStyle): string {
  const paint = createStyler(style.colour);
  const { labels, selected, notSelected, refused, budget, matrix } = ranking;
  const format = columnFormatter(extentOf(matrix.totals));
  const scoreOf = (score: number | undefined, otherwise = ''): string =>
    score === undefined ? otherwise : format(score);
  const nameOf = (row: { readonly id: string; readonly index: number }): string => ranking.nameOf(row);
  const ids = (rows: readonly { readonly id: string; readonly index: number }[]): TableColumn => {
    return {
      head: 'id',
      align: 'left',
      cells: rows.map((row) => truncateMiddle(escapeInvisible(nameOf(row)), MAX_ID_WIDTH)),
    };
  };
  const costs = (rows: readonly { readonly cost?: number }[]): TableColumn => {
    return { head: 'cost', align: 'right', cells: rows.map(({ cost }) => (cost === undefined ? '' : amount(cost))) };
  };
  const partial = partialCells(selected);
  const inside = tableText(
    [
      {
        head: '#',
        align: 'right',
        cells: selected.map(({ rank }) => paint('dim', rank === undefined ? '' : String(rank))),
      },
      ids(selected),
      costs(selected),
      { head: 'score', align: 'right', cells: selected.map(({ score, because }) => scoreOf(score, because)) },
      ...(partial ? [{ head: 'scorers', align: 'right', cells: partial } as const] : []),
    ],
    paint,
  );
  const shown = notSelected.slice(0, MAX_LEFT_OUT_ROWS);
  const more = notSelected.length - shown.length;
  const columns = [
    ids(shown),
    costs(shown),
    { head: 'score', align: 'right', cells: shown.map(({ score }) => scoreOf(score)) },
    { head: 'instead', align: 'left', cells: shown.map(keptInsteadText) },
  ] as const;
  const reasons = shown.map(({ text }) => escapeInvisible(text));
  const outside = tableText([...columns, lastColumn('why', reasons, columns, style.limit)], paint);
  const pruned = prunedLines(ranking);
  const lines = (texts: readonly string[]): string =>
    texts.map((line) => `${truncateEnd(`  ${line}`, style.limit)}\n`).join('');
  const title = (text: string): string => `\n${paint('bold', text)}\n`;
  return [
    `${paint('bold', escapeInvisible(ranking.profile))}: ${countsLine(ranking.counts, 'in')}\n`,
    budget ? `${budgetText(budget)}\n` : '',
    selected.length > 0 ? `\n${inside}` : '',
    notSelected.length > 0 ? `${title('Not packed')}${outside}` : '',
    more > 0 ? `${paint('dim', `… and ${count(more)} more: --format json lists all`)}\n` : '',
    refused.length > 0
      ? `${title('Refused')}${lines(refusalLines({ labels, refusedCounts: refusedCounts(refused), nameOf }))}`
      : '',
    pruned.length > 0 ? `${title('Deferred scorers')}${lines(pruned)}` : '',
  ].join('');
}

const amount = (value: number): string =>
  Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));

/** `7,940 of 8,000 spent, 120 of it pinned; 500 kept free`. */
function budgetText({ used, target, pinned, outputReserve, reservedSlots, optimality }: BudgetUse): string {
  const free = outputReserve + reservedSlots;
  const parts = [
    `${amount(used)} of ${amount(target)} spent`,
    ...(pinned > 0 ? [`, ${amount(pinned)} of it pinned`] : []),
    ...(free > 0 ? [`; ${amount(free)} kept free`] : []),
    ...(optimality ? [`; ${optimalityText(optimality)}`] : []),
  ];
  return parts.join('');
}

/** `optimal`, or `at most 1.3 % below the best sum of scores`. */
const optimalityText = ({ optimal, gap }: BudgetOptimality): string =>
  optimal ? 'optimal' : `at most ${Number((gap * 100).toPrecision(2))} % below the best sum of scores`;

/** The name of the candidate that was kept in its place, or of the first of several. */
function keptInsteadText({ replacedBy = [] }: Ranking<unknown>['notSelected'][number]): string {
  const [first, ...others] = replacedBy;
  if (first === undefined) return '';
  return `${truncateMiddle(escapeInvisible(first), MAX_INSTEAD_WIDTH)}${others.length > 0 ? ` +${others.length}` : ''}`;
}
