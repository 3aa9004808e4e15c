import { visible } from '../../../document/visible.js';
import { extentOf } from '../../../matrix/extent.js';
import type { Ranking } from '../../../pipeline/ranking.js';
import { countsOf, refusedCounts } from '../../../pipeline/stream/top-of-ranking.js';
import type { BudgetUse } from '../../../stages/pack.js';
import type { Look } from '../../terminal/io.js';
import { painter } from '../../terminal/paint.js';
import { columnFormat } from '../numbers.js';
import { refusals, sparedText } from '../summary.js';
import { count, cut, shorten } from '../text.js';
import { type GridColumn, grid, lastColumn } from './grid.js';
import { tally } from './tally.js';

const LONGEST_ID = 32;
const LONGEST_INSTEAD = 16;

/** How many of those that stay out are told one by one. */
const MOST_OUT = 20;

/** What goes into a budget, in its order, and what stays out, and why. */
export function packTable(ranking: Ranking<unknown>, look: Look): string {
  const paint = painter(look.colour);
  const { selected, leftOut, refused, budget, matrix } = ranking;
  const format = columnFormat(extentOf(matrix.totals));
  const scoreOf = (score: number | undefined, otherwise = ''): string =>
    score === undefined ? otherwise : format(score);
  const ids = (rows: readonly { readonly id: string }[]): GridColumn => {
    return { head: 'id', align: 'left', cells: rows.map(({ id }) => shorten(visible(id), LONGEST_ID)) };
  };
  const costs = (rows: readonly { readonly cost?: number }[]): GridColumn => {
    return { head: 'cost', align: 'right', cells: rows.map(({ cost }) => (cost === undefined ? '' : amount(cost))) };
  };
  const inside = grid(
    [
      { head: '#', align: 'right', cells: selected.map((_, k) => paint('dim', String(k + 1))) },
      ids(selected),
      costs(selected),
      { head: 'score', align: 'right', cells: selected.map(({ score, because }) => scoreOf(score, because)) },
    ],
    paint,
  );
  const shown = leftOut.slice(0, MOST_OUT);
  const more = leftOut.length - shown.length;
  const columns = [
    ids(shown),
    costs(shown),
    { head: 'score', align: 'right', cells: shown.map(({ score }) => scoreOf(score)) },
    { head: 'instead', align: 'left', cells: shown.map(instead) },
  ] as const;
  const texts = shown.map(({ text }) => visible(text));
  const outside = grid([...columns, lastColumn('why', texts, columns, look.limit)], paint);
  const spared = sparedText(ranking);
  const lines = (said: readonly string[]): string => said.map((line) => `${cut(`  ${line}`, look.limit)}\n`).join('');
  const title = (text: string): string => `\n${paint('bold', text)}\n`;
  return [
    `${paint('bold', visible(ranking.profile))}: ${tally(countsOf(ranking), 'in')}\n`,
    budget ? `${spent(budget)}\n` : '',
    selected.length > 0 ? `\n${inside}` : '',
    leftOut.length > 0 ? `${title('Left out')}${outside}` : '',
    more > 0 ? `${paint('dim', `… and ${count(more)} more: --format json has them all`)}\n` : '',
    refused.length > 0 ? `${title('Refused')}${lines(refusals(refusedCounts(refused)))}` : '',
    spared.length > 0 ? `${title('Asked late')}${lines(spared)}` : '',
  ].join('');
}

const amount = (value: number): string =>
  Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));

/** `7,940 of 8,000 spent, 120 of it pinned; 500 kept free`. */
function spent({ used, target, pinned, outputReserve, reservedSlots }: BudgetUse): string {
  const free = outputReserve + reservedSlots;
  const parts = [
    `${amount(used)} of ${amount(target)} spent`,
    ...(pinned > 0 ? [`, ${amount(pinned)} of it pinned`] : []),
    ...(free > 0 ? [`; ${amount(free)} kept free`] : []),
  ];
  return parts.join('');
}

/** Who is in its place: the first of them, where there are several. */
function instead({ keptInstead = [] }: Ranking<unknown>['leftOut'][number]): string {
  const [first, ...others] = keptInstead;
  if (first === undefined) return '';
  return `${shorten(visible(first), LONGEST_INSTEAD)}${others.length > 0 ? ` +${others.length}` : ''}`;
}
