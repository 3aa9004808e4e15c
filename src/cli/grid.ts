import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { widthOf } from '../document/width.js';
import type { Paint } from './paint.js';

/** One column of a grid: its head, how it is aligned, and its cells, which are already as long as they may be. */
export interface GridColumn {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly cells: readonly string[];
}

const LINES = ['top', 'bottom', 'left', 'right', 'mid', 'middle'].flatMap((side) =>
  ['', '-mid', '-left', '-right'].map((end) => [side + end, '']),
);

/** A table without lines but for one under its heads: what is aligned needs no fence. */
export function grid(columns: readonly GridColumn[], gap: number, paint: Paint): string {
  const table = new Table({
    head: columns.map(({ head }) => paint('dim', head)),
    colAligns: columns.map(({ align }) => align),
    chars: Object.fromEntries(LINES) as Record<string, string>,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
  });
  for (const row of columns[0]?.cells.keys() ?? []) table.push(columns.map(({ cells }) => cells[row] ?? ''));
  const [head = '', ...body] = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  const lines = [head, ...body];
  const width = lines.reduce((most, line) => Math.max(most, widthOf(stripVTControlCharacters(line))), 0);
  return [head, paint('dim', '─'.repeat(width)), ...body].map((line) => `${line}\n`).join('');
}
