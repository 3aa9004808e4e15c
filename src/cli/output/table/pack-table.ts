import type { BudgetUse } from '../../../engine/stages/select/types.js';
import { refusedCounts, topCountsOf } from '../../../ranking/counts.js';
import type { Ranking } from '../../../ranking/ranking.js';
import { escapeInvisible } from '../../../text/escape-invisible.js';
import { extentOf } from '../../../text/extent.js';
import { lastColumn, type TableColumn, tableText } from '../../../text/table.js';
import type { OutputStyle } from '../../terminal/io.js';
import { createStyler } from '../../terminal/styler.js';
import { columnFormatter } from '../number-column.js';
import { prunedLines, refusalLines } from '../summary.js';
import { count, truncateEnd, truncateMiddle } from '../text.js';
import { countsLine } from './counts-line.js';

const MAX_ID_WIDTH = 32;
const MAX_INSTEAD_WIDTH = 16;

/** How many of those that stay out are told one by one. */
const MAX_LEFT_OUT_ROWS = 20;

/** What goes into a budget, in its order, and what stays out, and why. */
export function packTable(ranking: Ranking<unknown>, look: OutputStyle): string {
  const paint = createStyler(look.colour);
  const { selected, leftOut, refused, budget, matrix } = ranking;
  const format = columnFormatter(extentOf(matrix.totals));
  const scoreOf = (score: number | undefined, otherwise = ''): string =>
    score === undefined ? otherwise : format(score);
  const ids = (rows: readonly { readonly id: string }[]): TableColumn => {
    return {
      head: 'id',
      align: 'left',
      cells: rows.map(({ id }) => truncateMiddle(escapeInvisible(id), MAX_ID_WIDTH)),
    };
  };
  const costs = (rows: readonly { readonly cost?: number }[]): TableColumn => {
    return { head: 'cost', align: 'right', cells: rows.map(({ cost }) => (cost === undefined ? '' : amount(cost))) };
  };
  const inside = tableText(
    [
      { head: '#', align: 'right', cells: selected.map((_, k) => paint('dim', String(k + 1))) },
      ids(selected),
      costs(selected),
      { head: 'score', align: 'right', cells: selected.map(({ score, because }) => scoreOf(score, because)) },
    ],
    paint,
  );
  const shown = leftOut.slice(0, MAX_LEFT_OUT_ROWS);
  const more = leftOut.length - shown.length;
  const columns = [
    ids(shown),
    costs(shown),
    { head: 'score', align: 'right', cells: shown.map(({ score }) => scoreOf(score)) },
    { head: 'instead', align: 'left', cells: shown.map(keptInsteadText) },
  ] as const;
  const texts = shown.map(({ text }) => escapeInvisible(text));
  const outside = tableText([...columns, lastColumn('why', texts, columns, look.limit)], paint);
  const pruned = prunedLines(ranking);
  const lines = (said: readonly string[]): string =>
    said.map((line) => `${truncateEnd(`  ${line}`, look.limit)}\n`).join('');
  const title = (text: string): string => `\n${paint('bold', text)}\n`;
  return [
    `${paint('bold', escapeInvisible(ranking.profile))}: ${countsLine(topCountsOf(ranking), 'in')}\n`,
    budget ? `${budgetText(budget)}\n` : '',
    selected.length > 0 ? `\n${inside}` : '',
    leftOut.length > 0 ? `${title('Left out')}${outside}` : '',
    more > 0 ? `${paint('dim', `… and ${count(more)} more: --format json has them all`)}\n` : '',
    refused.length > 0 ? `${title('Refused')}${lines(refusalLines(refusedCounts(refused)))}` : '',
    pruned.length > 0 ? `${title('Asked late')}${lines(pruned)}` : '',
  ].join('');
}

const amount = (value: number): string =>
  Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));

/** `7,940 of 8,000 spent, 120 of it pinned; 500 kept free`. */
function budgetText({ used, target, pinned, outputReserve, reservedSlots }: BudgetUse): string {
  const free = outputReserve + reservedSlots;
  const parts = [
    `${amount(used)} of ${amount(target)} spent`,
    ...(pinned > 0 ? [`, ${amount(pinned)} of it pinned`] : []),
    ...(free > 0 ? [`; ${amount(free)} kept free`] : []),
  ];
  return parts.join('');
}

/** Who is in its place: the first of them, where there are several. */
function keptInsteadText({ keptInstead = [] }: Ranking<unknown>['leftOut'][number]): string {
  const [first, ...others] = keptInstead;
  if (first === undefined) return '';
  return `${truncateMiddle(escapeInvisible(first), MAX_INSTEAD_WIDTH)}${others.length > 0 ? ` +${others.length}` : ''}`;
}
