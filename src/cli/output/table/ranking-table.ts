import { visible } from '../../../document/visible.js';
import { widthOf } from '../../../document/width.js';
import type { Ranking } from '../../../pipeline/ranking.js';
import type { Selected } from '../../../pipeline/rows.js';
import type { Look, Output } from '../../terminal/io.js';
import { type Paint, painter } from '../../terminal/paint.js';
import { bar, columnFormat } from '../numbers.js';
import { count, cut, shorten, widest, wrap } from '../text.js';
import { type GridColumn, grid } from './grid.js';
import { layOut } from './layout.js';
import { CROSS, DASH, type ScorerColumn, scorerColumns } from './scorer-columns.js';
import { tally } from './tally.js';

/** How a table may look. */
export type TableLook = Look & Pick<Output, 'bars'>;

/**
 * The selected of a ranking as a table that fits its place, headed by how many there were of everything.
 *
 * @param scorers the ids of the profile's scorers: a column each, of what they gave before weights
 * @param top     how many rows; all of the selected when not said
 */
export function rankingTable(
  ranking: Ranking<unknown>,
  scorers: readonly string[],
  look: TableLook,
  top?: number,
): string {
  const paint = painter(look.colour);
  const rows = ranking.selected.slice(0, top);
  const head = `${paint('bold', visible(ranking.profile))}: ${tally(ranking, 'selected')}\n`;
  if (rows.length === 0) return head;
  return `${head}\n${body(ranking, rows, scorerColumns(ranking, rows, scorers), look, paint)}${rest(ranking, rows, paint)}`;
}

function rest({ selected }: Ranking<unknown>, rows: readonly unknown[], paint: Paint): string {
  const more = selected.length - rows.length;
  return more > 0 ? `${paint('dim', `… and ${count(more)} more selected`)}\n` : '';
}

function body(
  ranking: Ranking<unknown>,
  rows: readonly Selected<unknown>[],
  scorers: readonly ScorerColumn[],
  look: TableLook,
  paint: Paint,
): string {
  const ids = rows.map(({ id }) => visible(id));
  const ranks = rows.map(({ rank }) => (rank === undefined ? '' : String(rank)));
  const format = columnFormat(ranking.matrix.totals);
  const scores = rows.map(({ score, because = '' }) => (score === undefined ? because : format(score)));
  const scoreWidth = widest(['score', ...scores]);
  const partial = partialCells(ranking, rows);
  const layout = layOut({
    columns: look.limit,
    fixed: [widest(ranks), scoreWidth, ...(partial ? [widest(partial)] : [])],
    id: widest(ids),
    scorers: scorers.map(({ id, cells }) => ({ name: widthOf(id), values: widest(cells) })),
    bars: look.bars,
  });
  const full = rows.reduce((most, { score }) => Math.max(most, score ?? 0), 1);
  const barOf = (row: number): string =>
    layout.bar === 0 ? '' : ` ${paint('cyan', bar(rows[row]!.score ?? 0, full, layout.bar))}`;
  const scoreCells = scores.map((score, row) => paint('bold', score.padStart(scoreWidth)) + barOf(row));
  const scoreHead = layout.bar === 0 ? 'score' : 'score'.padStart(scoreWidth).padEnd(scoreWidth + 1 + layout.bar);
  const columns: GridColumn[] = [
    { head: '#', align: 'right', cells: ranks.map((rank) => paint('dim', rank)) },
    { head: 'id', align: 'left', cells: ids.map((id) => shorten(id, layout.id)) },
    { head: scoreHead, align: 'right', cells: scoreCells },
    ...(partial ? [{ head: 'scored', align: 'right', cells: partial } as const] : []),
    ...layout.scorers.map((width, i): GridColumn => {
      const { id, cells } = scorers[i]!;
      const faint = cells.map((cell) => (cell === DASH || cell === CROSS ? paint('dim', cell) : cell));
      return { head: cut(id, width), align: 'right', cells: faint };
    }),
  ];
  const hidden = scorers.slice(layout.scorers.length).map(({ id }) => id);
  const note = hidden.length > 0 ? `${paint('dim', wrap(`no room for ${hidden.join(', ')}`, look.columns, ''))}\n` : '';
  return grid(columns, paint, layout.gap) + note;
}

/** On how many of the scorers each was scored, if that was not always all of them. */
function partialCells({ ranked }: Ranking<unknown>, rows: readonly Selected<unknown>[]): readonly string[] | undefined {
  const partial = rows.map(({ rank }) => (rank === undefined ? undefined : ranked[rank - 1]?.partial));
  return partial.some(Boolean) ? partial.map((part) => (part ? `${part.present} of ${part.of}` : '')) : undefined;
}
