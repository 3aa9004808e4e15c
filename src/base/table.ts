import { displayWidth, escapeInvisible, maxWidth, truncateEnd, truncateMiddle, wrapToLines } from './wrap.js';

/** Emphasizes a part of a text (`strong`) or plays it down (`faint`). */
export type TextStyler = (style: 'strong' | 'faint', text: string) => string;

/** The width and the styles of a text. */
export interface RenderOptions {
  readonly columns: number;
  readonly paint: TextStyler;
}

/** How the cells of a column are aligned: `point` aligns numbers by their decimal points. */
export type ColumnAlign = 'left' | 'right' | 'point';

/** One column of a table. Its cells may be coloured. The caller has escaped their control characters. */
export interface TableColumn {
  readonly head: string;
  /** A second line of the head. */
  readonly subhead?: string;
  readonly align: ColumnAlign;
  readonly cells: readonly string[];
}

/** One row of a table with notes: a cell per column, and a paragraph per note. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly why: readonly string[];
}

const GAP = 2;
const INDENT = 2;
const MAX_NAME_WIDTH = 24;
/** The least width of notes. Cells are cut to it; paragraphs move below their row instead. */
const MIN_NOTE_WIDTH = 24;

const padStart = (text: string, width: number): string => ' '.repeat(width - displayWidth(text)) + text;
const padEnd = (text: string, width: number): string => text + ' '.repeat(width - displayWidth(text));

/** The part of a number before its decimal point. */
const integerPart = (cell: string): string => cell.split('.', 1)[0] ?? cell;

/** Pads numbers to one width so that their decimal points are aligned. */
function alignPoints(cells: readonly string[]): readonly string[] {
  const before = maxWidth(cells.map(integerPart));
  const shifted = cells.map((cell) => ' '.repeat(before - displayWidth(integerPart(cell))) + cell);
  const width = maxWidth(shifted);
  return shifted.map((cell) => padEnd(cell, width));
}

/** A column whose heads and cells all have the same width. */
interface PaddedColumn {
  readonly width: number;
  readonly head: string;
  readonly subhead: string;
  readonly cells: readonly string[];
}

function padColumn({ head, subhead = '', align, cells }: TableColumn): PaddedColumn {
  const texts = align === 'point' ? alignPoints(cells) : cells;
  const width = Math.max(displayWidth(head), displayWidth(subhead), maxWidth(texts));
  const pad = align === 'left' ? padEnd : padStart;
  return { width, head: pad(head, width), subhead: pad(subhead, width), cells: texts.map((cell) => pad(cell, width)) };
}

const rowWidth = (columns: readonly { readonly width: number }[], gap: number): number =>
  columns.reduce((sum, { width }) => sum + width + gap, -gap);

const paintHeads = ({ head, subhead, ...column }: TableColumn, paint: TextStyler): TableColumn => ({
  ...column,
  head: paint('faint', head),
  ...(subhead !== undefined && { subhead: paint('faint', subhead) }),
});

/**
 * A table with a line below its heads. Not a library: none that we know pads in linear time, and `--top` may select any
 * number of rows.
 */
export function tableText(columns: readonly TableColumn[], paint: TextStyler, gap = GAP): string {
  const padded = columns.map((column) => padColumn(paintHeads(column, paint)));
  const rowText = (cells: readonly string[]): string => cells.join(' '.repeat(gap)).trimEnd();
  const lines = [
    rowText(padded.map(({ head }) => head)),
    ...(columns.some(({ subhead }) => subhead) ? [rowText(padded.map(({ subhead }) => subhead))] : []),
    paint('faint', '─'.repeat(rowWidth(padded, gap))),
    ...(columns[0]?.cells ?? []).map((_, row) => rowText(padded.map(({ cells }) => cells[row] ?? ''))),
  ];
  return `${lines.join('\n')}\n`;
}

/** The last column of a table: texts, cut to the columns that the others leave of a line. */
export function lastColumn(
  head: string,
  texts: readonly string[],
  before: readonly TableColumn[],
  limit: number,
): TableColumn {
  const room = Math.max(limit - rowWidth(before.map(padColumn), GAP) - GAP, MIN_NOTE_WIDTH);
  return { head, align: 'left', cells: texts.map((text) => truncateEnd(text, room)) };
}

/**
 * The lines of an indented table whose rows have notes. The notes are wrapped next to the cells, or below them if the
 * terminal is too narrow.
 *
 * @param heads the heads of the columns, then of the notes; undefined for a table without heads
 */
export function layoutTable(
  rows: readonly TableRow[],
  aligns: readonly ColumnAlign[],
  heads: readonly string[] | undefined,
  { columns, paint }: RenderOptions,
): string[] {
  const padded = aligns.map((align, k) => {
    const cells = rows.map((row) => escapeInvisible(row.cells[k] ?? ''));
    const texts = align === 'left' ? cells.map((cell) => truncateMiddle(cell, MAX_NAME_WIDTH)) : cells;
    return padColumn({ head: heads?.[k] ?? '', align, cells: texts });
  });
  const left = INDENT + rowWidth(padded, GAP) + GAP;
  const beside = columns - left >= MIN_NOTE_WIDTH;
  const indent = ' '.repeat(beside ? left : 2 * INDENT);
  const linesOf = (cells: readonly string[], notes: readonly string[]): string[] => {
    const [first = '', ...more] = beside ? notes : ['', ...notes];
    const row = [' '.repeat(INDENT) + cells.join(' '.repeat(GAP)), first].join(' '.repeat(GAP)).trimEnd();
    return [row, ...more.map((line) => indent + line)];
  };
  const head =
    heads &&
    linesOf(
      padded.map((column) => column.head),
      beside ? heads.slice(aligns.length) : [],
    );
  const body = rows.flatMap(({ why }, row) =>
    linesOf(
      padded.map(({ cells }) => cells[row] ?? ''),
      why.flatMap((note) => wrapToLines(escapeInvisible(note), columns - indent.length)),
    ),
  );
  return [...(head ?? []).map((line) => paint('faint', line)), ...body];
}
