import { visible } from '../../../document/visible.js';
import type { ScoreRow } from '../../../files/row-json.js';
import { extentOf } from '../../../matrix/extent.js';
import type { Look } from '../../terminal/io.js';
import { painter } from '../../terminal/paint.js';
import { columnFormat } from '../numbers.js';
import { count, counted, shorten } from '../text.js';
import { type GridColumn, grid, lastColumn } from './grid.js';

const LONGEST_ID = 40;

/** Rows in their order: the score of each, or why there is none. */
export function scoreTable(profile: string, rows: readonly ScoreRow[], { limit, colour }: Look): string {
  const paint = painter(colour);
  const refused = rows.filter((row) => 'kind' in row).length;
  const parts = [counted(rows.length, 'candidate'), ...(refused > 0 ? [`${count(refused)} refused`] : [])];
  const head = `${paint('bold', visible(profile))}: ${parts.join(', ')}\n`;
  if (rows.length === 0) return head;
  const scores = rows.map((row) => ('score' in row ? row.score : undefined));
  const format = columnFormat(extentOf(scores.map((score) => score ?? Number.NaN)));
  const notes = rows.map(noteOf);
  const body: GridColumn[] = [
    { head: 'id', align: 'left', cells: rows.map(({ id }) => shorten(visible(id), LONGEST_ID)) },
    {
      head: 'score',
      align: 'right',
      cells: scores.map((score) => paint('bold', score === undefined ? '–' : format(score))),
    },
  ];
  if (notes.some((note) => note !== '')) body.push(lastColumn('', notes, body, limit));
  return `${head}\n${grid(body, paint)}`;
}

/** Why there is no score, or on how much there is one. */
function noteOf(row: ScoreRow): string {
  if ('kind' in row) return visible(`${row.by}${row.kind === 'veto' ? '' : ` (${row.kind})`}: ${row.reason}`);
  if (row.because) return row.because;
  return row.partial ? `on ${row.partial.present} of ${row.partial.of} scorers` : '';
}
