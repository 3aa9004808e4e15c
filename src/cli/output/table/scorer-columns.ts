import type { TopRanking } from '../../../stream/top-ranking.js';
import { columnFormatter } from '../number-column.js';

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

/** The raw values of the scorers for the selected. */
export function scorerColumns(ranking: TopRanking<unknown>, scorers: readonly string[]): readonly ScorerColumn[] {
  const { matrix, selected } = ranking;
  const rowOf = new Map(Array.from(matrix.index, (position, row) => [position, row]));
  const places = selected.map(({ index }) => rowOf.get(index));
  return scorers.map((id) => {
    const cells = places.map((row) => (row === undefined ? undefined : matrix.cell(id, row)));
    const format = columnFormatter(ranking.extent(id));
    const text = (cell: (typeof cells)[number]) =>
      cell?.value !== undefined ? format(cell.value) : cell?.state === 'failed' ? CROSS : DASH;
    return { id, cells: cells.map(text) };
  });
}
