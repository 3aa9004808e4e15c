import { displayWidth, escapeInvisible, maxWidth, truncateEnd, truncateMiddle, wrap } from '../../text/wrap.js';
import { type TableColumn, tableText } from '../../text/table.js';
import type { Output, OutputStyle } from '../terminal/io.js';
import { labelOf, type Labels } from '../../profile/profile.js';
import type { ScoreTerms } from '../../ranking/score-terms.js';
import { formatNumber } from '../../text/numbers.js';
import { createStyler, type Styler } from '../terminal/styler.js';
import { bar, columnFormatter, partialCells } from './format.js';
import type { RankingView } from './ranking-view.js';
import { countsLine } from './summary.js';
import { layOutTable } from './table-layout.js';

/** The width and the style of a table. */
export type TableStyle = OutputStyle & Pick<Output, 'bars'>;

/** In place of a number: the scorer abstained, or was not run. */
const DASH = '–';
/** At a rank: the row is listed before one with a better rank. */
const MOVED = '↑';
/** In place of a number: the scorer failed. */
const CROSS = '✗';

/**
 * The selected of a ranking as a table that fits its width, below a line of counts.
 *
 * @param scorers the ids of the profile's scorers: a column each, of their values before weights
 */
export function rankingTable(ranking: RankingView, scorers: readonly string[], style: TableStyle): string {
  const paint = createStyler(style.colour);
  const { counts, selected } = ranking;
  const head = `${paint('bold', escapeInvisible(ranking.profile))}: ${countsLine(counts, 'selected')}\n`;
  if (selected.length === 0) return head;
  return `${head}\n${body(ranking, scorerColumns(ranking, scorers), style, paint)}`;
}

/** The widest name of a case. */
const MAX_CASE_WIDTH = 16;

function body(ranking: RankingView, scorers: readonly ScorerColumn[], style: TableStyle, paint: Styler): string {
  const rows = ranking.selected;
  const ids = rows.map((row) => escapeInvisible(ranking.nameOf(row)));
  const movedBy = new Set(rows.flatMap(({ moved }) => moved ?? []));
  const ranks = rankCells(rows, movedBy.size > 0);
  const format = columnFormatter(ranking.extent());
  const scores = rows.map(({ score, because = '' }) => (score === undefined ? because : format(score)));
  const scoreWidth = maxWidth(['score', ...scores]);
  const partial = partialCells(rows);
  const terms = rows.map(({ index }) => (index < 0 ? undefined : ranking.terms({ index })));
  const cases = caseCells(terms);
  const rules = terms.map((one) => changedBy(one, ranking.labels));
  const subheads = cases ? [] : weightHeads(ranking, scorers);
  const layout = layOutTable({
    columns: style.limit,
    fixed: [
      maxWidth(ranks),
      scoreWidth,
      ...(partial ? [maxWidth(['scorers', ...partial])] : []),
      ...(cases ? [maxWidth(['case', ...cases])] : []),
    ],
    id: maxWidth(ids),
    scorers: scorers.map(({ name, cells }, k) => {
      return { name: displayWidth(name), values: maxWidth([...cells, subheads[k] ?? '']) };
    }),
    rules: rules.some(Boolean) ? maxWidth(['rules', ...rules]) : 0,
    bars: style.bars,
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
    ...(partial ? [{ head: 'scorers', align: 'right', cells: partial } as const] : []),
    ...(cases ? [{ head: 'case', align: 'left', cells: cases } as const] : []),
    ...layout.scorers.map((width, i): TableColumn => {
      const { name, cells } = scorers[i]!;
      const faint = cells.map((cell) => (cell === DASH || cell === CROSS ? paint('dim', cell) : cell));
      return { head: truncateEnd(name, width), subhead: subheads[i] ?? '', align: 'right', cells: faint };
    }),
    ...(layout.rules > 0
      ? [{ head: 'rules', align: 'left', cells: rules.map((fired) => truncateEnd(fired, layout.rules)) } as const]
      : []),
  ];
  const hidden = scorers.slice(layout.scorers.length).map(({ name }) => name);
  const notes = [
    ...(movedBy.size > 0 ? [`${MOVED} put before better ranks by ${[...movedBy].join(' and ')}`] : []),
    ...(hidden.length > 0 ? [`no room for ${hidden.join(', ')}`] : []),
  ];
  const lines = notes.map((note) => `${paint('dim', wrap(note, style.columns, ''))}\n`);
  return tableText(columns, paint, layout.gap) + lines.join('');
}

/** The ranks, with a mark at each row that is listed before one with a better rank. */
const rankCells = (rows: RankingView['selected'], anyMoved: boolean): readonly string[] =>
  rows.map(({ rank, moved }) => {
    const mark = anyMoved ? (moved ? MOVED : ' ') : '';
    return rank === undefined ? '' : `${rank}${mark}`;
  });

/** The case of each row; undefined where none is in one. */
function caseCells(terms: readonly (ScoreTerms | undefined)[]): readonly string[] | undefined {
  if (terms.every((one) => one?.case === undefined)) return undefined;
  return terms.map((one) => truncateEnd(escapeInvisible(one?.case ?? ''), MAX_CASE_WIDTH));
}

/** The rules that changed a score. */
function changedBy(terms: ScoreTerms | undefined, labels: Labels | undefined): string {
  let before = terms?.combined;
  const ids = (terms?.rules ?? []).filter(({ score }) => {
    const changed = score !== before;
    before = score;
    return changed;
  });
  return ids.map(({ id }) => escapeInvisible(labelOf(labels, id))).join(', ');
}

/** The weight of each scorer; none where there is nothing to weigh. */
function weightHeads({ weights }: RankingView, scorers: readonly ScorerColumn[]): readonly string[] {
  if (!weights || (scorers.length === 1 && Object.values(weights)[0] === 1)) return [];
  return scorers.map(({ id }) => weightText(weights[id]));
}

const weightText = (weight: number | null | undefined): string =>
  typeof weight === 'number' ? `×${formatNumber(Number(weight.toPrecision(3)))}` : DASH;

/** The column of one scorer: its values before weights, dashes and crosses. */
interface ScorerColumn {
  readonly id: string;
  /** Its label, else its id. */
  readonly name: string;
  readonly cells: readonly string[];
}

function scorerColumns(ranking: RankingView, scorers: readonly string[]): readonly ScorerColumn[] {
  const { matrix, selected } = ranking;
  const rowOf = new Map(Array.from(matrix.index, (position, row) => [position, row]));
  const rows = selected.map(({ index }) => rowOf.get(index));
  return scorers.map((id) => {
    const cells = rows.map((row) => (row === undefined ? undefined : matrix.cell(id, row)));
    const format = columnFormatter(ranking.extent(id));
    const text = (cell: (typeof cells)[number]) =>
      cell?.value !== undefined ? format(cell.value) : cell?.state === 'failed' ? CROSS : DASH;
    return { id, name: escapeInvisible(labelOf(ranking.labels, id)), cells: cells.map(text) };
  });
}
