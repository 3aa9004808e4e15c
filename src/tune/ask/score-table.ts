import type { Ranking } from '../../ranking/index.js';
import { combineFacts, type Profile, type ScorerEntry } from '../../profile/index.js';
import type { Random } from '../../evaluate/significance/random.js';

/** The scores of ranked candidates by the scorers whose weights are asked for: row by row, without gaps. */
export interface ScoreTable {
  readonly rows: number;
  readonly width: number;
  readonly scores: Float64Array;
  /** By row: the position of the candidate. */
  readonly index: Int32Array;
  /** How the scores of two scorers vary together, row by row. */
  readonly covariance: Float64Array;
}

/** Among more candidates than these, some are drawn to be asked about. */
const MOST_ROWS = 1000;

/** The scores of a ranking. Where a scorer gave no number, its mean stands in. */
export function scoreTable(
  { matrix }: Ranking<unknown>,
  profile: Profile,
  entries: readonly ScorerEntry[],
  random: Random,
): ScoreTable {
  const logs = combineFacts(profile.combine).effect === 'factor';
  const drawn = drawRows(matrix.index.length, random);
  const columns = entries.map(({ id }) => {
    const { resolved } = matrix.column(id);
    const own = Array.from(drawn, (row) => (logs ? Math.log(Math.max(resolved[row]!, 1e-6)) : resolved[row]!));
    const known = own.filter(Number.isFinite);
    const mean = known.reduce((sum, x) => sum + x, 0) / Math.max(1, known.length);
    return own.map((x) => (Number.isFinite(x) ? x : mean));
  });
  const [rows, width] = [drawn.length, entries.length];
  const scores = new Float64Array(rows * width);
  for (const [k, column] of columns.entries()) for (const [row, x] of column.entries()) scores[row * width + k] = x;
  return {
    rows,
    width,
    scores,
    index: Int32Array.from(drawn, (row) => matrix.index[row]!),
    covariance: covarianceOf(columns),
  };
}

function drawRows(count: number, random: Random): readonly number[] {
  const rows = Array.from({ length: count }, (_, row) => row);
  if (count <= MOST_ROWS) return rows;
  for (let k = 0; k < MOST_ROWS; k++) {
    const other = k + Math.floor(random() * (count - k));
    [rows[k], rows[other]] = [rows[other]!, rows[k]!];
  }
  return rows.slice(0, MOST_ROWS);
}

function covarianceOf(columns: readonly (readonly number[])[]): Float64Array {
  const centred = columns.map((column) => {
    const mean = column.reduce((sum, x) => sum + x, 0) / column.length;
    return column.map((x) => x - mean);
  });
  return Float64Array.from(
    centred.flatMap((a) => centred.map((b) => a.reduce((sum, x, row) => sum + x * b[row]!, 0) / a.length)),
  );
}

/** The best rows by some weights, best first. O(rows × (scorers + top)). */
export function topRows({ rows, width, scores }: ScoreTable, weights: Float64Array, top: number): readonly number[] {
  const best: { readonly row: number; readonly total: number }[] = [];
  for (let row = 0; row < rows; row++) {
    let total = 0;
    for (let k = 0; k < width; k++) total += weights[k]! * scores[row * width + k]!;
    if (best.length === top && total <= best.at(-1)!.total) continue;
    let at = best.length;
    while (at > 0 && best[at - 1]!.total < total) at -= 1;
    best.splice(at, 0, { row, total });
    if (best.length > top) best.pop();
  }
  return best.map(({ row }) => row);
}
