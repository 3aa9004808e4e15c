import type { TopRanking } from '../../../stream/top-ranking.js';
import { displayWidth, maxWidth } from '../../../text/display-width.js';
import { escapeInvisible } from '../../../text/escape-invisible.js';
import { type TableColumn, tableText } from '../../../text/table.js';
import type { Output, OutputStyle } from '../../terminal/io.js';
import { createStyler, type Styler } from '../../terminal/styler.js';
import { bar, columnFormatter } from '../number-column.js';
import { count, truncateEnd, truncateMiddle, wrap } from '../text.js';
import { countsLine } from './counts-line.js';
import { layOutTable } from './ranking-table-layout.js';
import { CROSS, DASH, type ScorerColumn, scorerColumns } from './scorer-columns.js';

/** How a table may look. */
export type TableStyle = OutputStyle & Pick<Output, 'bars'>;

/**
 * The selected of a ranking as a table that fits its place, headed by how many there were of everything.
 *
 * @param scorers the ids of the profile's scorers: a column each, of what they gave before weights
 */
export function rankingTable(ranking: TopRanking<unknown>, scorers: readonly string[], look: TableStyle): string {
  const paint = createStyler(look.colour);
  const head = `${paint('bold', escapeInvisible(ranking.profile))}: ${countsLine(ranking.counts, 'selected')}\n`;
  if (ranking.selected.length === 0) return head;
  return `${head}\n${body(ranking, scorerColumns(ranking, scorers), look, paint)}${rest(ranking, paint)}`;
}

function rest({ counts, selected }: TopRanking<unknown>, paint: Styler): string {
  const more = counts.selected - selected.length;
  return more > 0 ? `${paint('dim', `… and ${count(more)} more selected`)}\n` : '';
}

function body(ranking: TopRanking<unknown>, scorers: readonly ScorerColumn[], look: TableStyle, paint: Styler): string {
  const rows = ranking.selected;
  const ids = rows.map(({ id }) => escapeInvisible(id));
  const ranks = rows.map(({ rank }) => (rank === undefined ? '' : String(rank)));
  const format = columnFormatter(ranking.extent());
  const scores = rows.map(({ score, because = '' }) => (score === undefined ? because : format(score)));
  const scoreWidth = maxWidth(['score', ...scores]);
  const partial = partialCells(ranking);
  const layout = layOutTable({
    columns: look.limit,
    fixed: [maxWidth(ranks), scoreWidth, ...(partial ? [maxWidth(partial)] : [])],
    id: maxWidth(ids),
    scorers: scorers.map(({ id, cells }) => ({ name: displayWidth(id), values: maxWidth(cells) })),
    bars: look.bars,
  });
  const full = rows.reduce((most, { score }) => Math.max(most, score ?? 0), 1);
  const barOf = (row: number): string =>
    layout.bar === 0 ? '' : ` ${paint('cyan', bar(rows[row]!.score ?? 0, full, layout.bar))}`;
  const scoreCells = scores.map((score, row) => paint('bold', score.padStart(scoreWidth)) + barOf(row));
  const scoreHead = layout.bar === 0 ? 'score' : 'score'.padStart(scoreWidth).padEnd(scoreWidth + 1 + layout.bar);
  const columns: TableColumn[] = [
    { head: '#', align: 'right', cells: ranks.map((rank) => paint('dim', rank)) },
    { head: 'id', align: 'left', cells: ids.map((id) => truncateMiddle(id, layout.id)) },
    { head: scoreHead, align: 'right', cells: scoreCells },
    ...(partial ? [{ head: 'scored', align: 'right', cells: partial } as const] : []),
    ...layout.scorers.map((width, i): TableColumn => {
      const { id, cells } = scorers[i]!;
      const faint = cells.map((cell) => (cell === DASH || cell === CROSS ? paint('dim', cell) : cell));
      return { head: truncateEnd(id, width), align: 'right', cells: faint };
    }),
  ];
  const hidden = scorers.slice(layout.scorers.length).map(({ id }) => id);
  const note = hidden.length > 0 ? `${paint('dim', wrap(`no room for ${hidden.join(', ')}`, look.columns, ''))}\n` : '';
  return tableText(columns, paint, layout.gap) + note;
}

/** On how many of the scorers each was scored, if that was not always all of them. */
function partialCells({ selected }: TopRanking<unknown>): readonly string[] | undefined {
  const partial = selected.map((row) => row.partial);
  return partial.some(Boolean) ? partial.map((part) => (part ? `${part.present} of ${part.of}` : '')) : undefined;
}
