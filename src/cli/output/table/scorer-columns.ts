import { CELL_STATES } from '../../../matrix/score-matrix.js';
import type { Ranking } from '../../../pipeline/ranking.js';
import type { Selected } from '../../../pipeline/rows.js';
import { columnFormat } from '../numbers.js';

/** One scorer's column of a table: what it gave, before weights. */
export interface ScorerColumn {
  readonly id: string;
  /** Numbers, dashes and crosses. */
  readonly cells: readonly string[];
}

/** In place of a number: the scorer had nothing to say, or was not asked. */
export const DASH = '–';
/** In place of a number: the scorer failed. */
export const CROSS = '✗';

/** The raw values of the scorers for some of a ranking's rows. */
export function scorerColumns(
  { matrix }: Ranking<unknown>,
  rows: readonly Selected<unknown>[],
  scorers: readonly string[],
): readonly ScorerColumn[] {
  const rowOf = new Map(Array.from(matrix.index, (position, row) => [position, row]));
  const places = rows.map(({ index }) => rowOf.get(index));
  return scorers.map((id) => {
    const { values, states } = matrix.column(id);
    const cells = places.map((row) =>
      row === undefined ? undefined : { value: values[row]!, state: CELL_STATES[states[row]!] },
    );
    const format = columnFormat(values);
    const text = (cell: (typeof cells)[number]) =>
      cell?.state === 'scored' ? format(cell.value) : cell?.state === 'failed' ? CROSS : DASH;
    return { id, cells: cells.map(text) };
  });
}
