import type { Pipeline } from '../../pipeline.js';
import type { Labels } from '../../profile/profile.js';
import { nameWithPosition } from '../../engine/candidate-name.js';
import type { ScoreRow } from '../../ranking/row-json.js';
import { escapeInvisible, truncateMiddle } from '../../text/wrap.js';
import { extentOf } from '../../text/numbers.js';
import { lastColumn, type TableColumn, tableText } from '../../text/table.js';
import type { OutputStyle } from '../terminal/io.js';
import { createStyler } from '../terminal/styler.js';
import { columnFormatter, count, counted } from './format.js';
import { refuserText } from './summary.js';

const MAX_ID_WIDTH = 40;

/** The profile of some rows: its name, and the names for people of its entries. */
export type ScoredBy = Pick<Pipeline, 'name' | 'labels'>;

/** Rows in their order, with the score of each or why it has none. */
export function scoreTable(
  { name: profile, labels }: ScoredBy,
  rows: readonly ScoreRow[],
  { limit, colour }: OutputStyle,
): string {
  const paint = createStyler(colour);
  const refused = rows.filter((row) => 'kind' in row).length;
  const parts = [counted(rows.length, 'candidate'), ...(refused > 0 ? [`${count(refused)} refused`] : [])];
  const head = `${paint('bold', escapeInvisible(profile))}: ${parts.join(', ')}\n`;
  if (rows.length === 0) return head;
  const scores = rows.map((row) => ('score' in row ? row.score : undefined));
  const format = columnFormatter(extentOf(scores.map((score) => score ?? Number.NaN)));
  const notes = rows.map((row) => missingScoreText(row, labels));
  const body: TableColumn[] = [
    {
      head: 'id',
      align: 'left',
      cells: rowNames(rows).map((name) => truncateMiddle(escapeInvisible(name), MAX_ID_WIDTH)),
    },
    {
      head: 'score',
      align: 'right',
      cells: scores.map((score) => paint('bold', score === undefined ? '–' : format(score))),
    },
  ];
  if (notes.some((note) => note !== '')) body.push(lastColumn('', notes, body, limit));
  return `${head}\n${tableText(body, paint)}`;
}

/** The names of the rows: their ids, with their positions where several have the id. */
function rowNames(rows: readonly ScoreRow[]): readonly string[] {
  const seen = new Set<string>();
  const shared = new Set(rows.map(({ id }) => id).filter((id) => seen.size === seen.add(id).size));
  return rows.map(({ id, index }) => (shared.has(id) ? nameWithPosition(id, index) : id));
}

/** Why a row has no score, or on how many of the scorers it was scored. */
function missingScoreText(row: ScoreRow, labels: Labels | undefined): string {
  if ('kind' in row) return `${refuserText(labels, row.by, row.kind)}: ${escapeInvisible(row.reason)}`;
  if (row.because) return row.because;
  return row.partial ? `on ${row.partial.present} of ${row.partial.of} scorers` : '';
}
