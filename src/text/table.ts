import { displayWidth } from './display-width.js';
import { escapeInvisible } from './escape-invisible.js';
import { truncateMiddle, wrapToLines } from './wrap.js';

/** How a part of the text stands out: what is to be read first, and what may be skipped. */
export type TextStyler = (as: 'strong' | 'faint', text: string) => string;

/** How wide a text may be, and how it is painted. */
export interface RenderOptions {
  readonly columns: number;
  readonly paint: TextStyler;
}

/** One row: a cell a column, and the words beside them, a paragraph each. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly why: readonly string[];
}

/** How the cells of a column stand under each other: numbers by their point. */
export type ColumnAlign = 'left' | 'point';

const GAP = 2;
const INDENT = 2;
/** The most that a name takes. */
const MAX_NAME_WIDTH = 24;
/** Fewer columns than these are no place for words: they go below their row. */
const MIN_WORDS_WIDTH = 24;

/** The part of a cell that stands left of the point. */
const integerPart = (cell: string): string => /^[^.]*/.exec(cell)?.[0] ?? cell;

/** The cells of one column, all of the same width. */
function alignColumn(cells: readonly string[], head: string | undefined, align: ColumnAlign): readonly string[] {
  const shown = cells.map((cell) =>
    align === 'left' ? truncateMiddle(escapeInvisible(cell), MAX_NAME_WIDTH) : escapeInvisible(cell),
  );
  const before = align === 'left' ? 0 : Math.max(...shown.map((cell) => displayWidth(integerPart(cell))), 0);
  const placed = shown.map((cell) =>
    align === 'left' ? cell : ' '.repeat(before - displayWidth(integerPart(cell))) + cell,
  );
  const all = head === undefined ? placed : [head, ...placed];
  const width = Math.max(...all.map(displayWidth), 0);
  const numbers = Math.max(...placed.map(displayWidth), 0);
  return all.map((cell, k) => {
    if (align === 'left') return cell + ' '.repeat(width - displayWidth(cell));
    if (head !== undefined && k === 0) return ' '.repeat(width - displayWidth(cell)) + cell;
    return ' '.repeat(width - numbers) + cell + ' '.repeat(numbers - displayWidth(cell));
  });
}

/**
 * Rows under their heads, indented, with words beside them that go on under each other; where there is too little
 * room they go below.
 *
 * @param heads of the columns and of the words; none, where the rows need no heads
 */
export function layoutTable(
  rows: readonly TableRow[],
  aligns: readonly ColumnAlign[],
  heads: readonly string[] | undefined,
  { columns, paint }: RenderOptions,
): string[] {
  const columnsOfCells = aligns.map((align, k) =>
    alignColumn(
      rows.map(({ cells }) => cells[k] ?? ''),
      heads?.[k],
      align,
    ),
  );
  const lines = (columnsOfCells[0] ?? []).map((_, row) =>
    columnsOfCells.map((cells) => cells[row]).join(' '.repeat(GAP)),
  );
  const left = INDENT + displayWidth(lines[0] ?? '') + GAP;
  const beside = columns - left >= MIN_WORDS_WIDTH;
  const indent = ' '.repeat(beside ? left : 2 * INDENT);
  const out: string[] = [];
  for (const [k, line] of lines.entries()) {
    const isHead = heads !== undefined && k === 0;
    const said = isHead ? (heads[aligns.length] ?? '') : undefined;
    const why = rows[heads === undefined ? k : k - 1]?.why ?? [];
    const words =
      said === undefined ? why.flatMap((one) => wrapToLines(escapeInvisible(one), columns - indent.length)) : [said];
    const [first = '', ...more] = beside ? words : ['', ...(isHead ? [] : words)];
    const text = `${' '.repeat(INDENT)}${line}${' '.repeat(GAP)}${first}`.trimEnd();
    out.push(isHead ? paint('faint', text) : text, ...more.map((one) => indent + one));
  }
  return out;
}
