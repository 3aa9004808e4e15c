import { stripVTControlCharacters } from 'node:util';
import type { Styler } from '../cli/terminal/styler.js';
import { displayWidth } from './display-width.js';
import { truncateEnd } from './wrap.js';

const GAP = 2;
const MIN_LAST_WIDTH = 24;

/** One column of a grid: its head, how it is aligned, and its cells, which are already as long as they may be. */
export interface TableColumn {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly cells: readonly string[];
}

/** The last column, whose texts are cut to what those before it leave, but not to less than a few words. */
export function lastColumn(head: string, texts: readonly string[], before: readonly TableColumn[], limit: number) {
  const taken = before.reduce((sum, column) => sum + columnWidth(column) + GAP, 0);
  const room = Math.max(limit - taken, MIN_LAST_WIDTH);
  return { head, align: 'left', cells: texts.map((text) => truncateEnd(text, room)) } as const;
}

const columnWidth = ({ head, cells }: TableColumn): number =>
  cells.reduce((most, cell) => Math.max(most, visibleWidth(cell)), displayWidth(head));

/**
 * A table without lines but for one under its heads: what is aligned needs no fence. The widths are known by now, and
 * so this is padding, which no table library does in linear time for as many rows as somebody may select.
 */
export function tableText(columns: readonly TableColumn[], paint: Styler, gap = GAP): string {
  const padded = columns.map((column) => {
    const { head, align, cells } = column;
    const width = columnWidth(column);
    const pad = (cell: string): string => {
      const space = ' '.repeat(width - visibleWidth(cell));
      return align === 'right' ? space + cell : cell + space;
    };
    return { width, head: pad(paint('dim', head)), cells: cells.map(pad) };
  });
  const rowOf = (cells: readonly string[]): string => cells.join(' '.repeat(gap)).trimEnd();
  const width = padded.reduce((sum, column) => sum + column.width + gap, -gap);
  const lines = [
    rowOf(padded.map(({ head }) => head)),
    paint('dim', '─'.repeat(width)),
    ...(columns[0]?.cells ?? []).map((_, row) => rowOf(padded.map(({ cells }) => cells[row] ?? ''))),
  ];
  return `${lines.join('\n')}\n`;
}

/** The width of a text that may be coloured. */
const visibleWidth = (text: string): number => displayWidth(stripVTControlCharacters(text));
