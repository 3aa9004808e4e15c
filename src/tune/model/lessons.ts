import type { Examples, LossName } from '../fit/loss.js';
import { queriesOfRows, type RankedQueries } from '../queries/ranked-queries.js';

/** What rows are worth to the loss, and in which lists they stand. */
export interface Lessons {
  /** By row: its gain. */
  readonly gains: Float64Array;
  /** The rows to learn from, and the lists that they form: for examples without features yet. */
  readonly listsOf: (rows: Int32Array) => { readonly rows: Int32Array; readonly lists: Int32Array };
}

/** What is learnt of a row: its grade, 2^grade − 1, or whether it is relevant. */
export type Gain = 'grade' | 'exponential' | 'relevant';

/** The gain that a measure gives to grades. */
export const gainOf = (measure: string): Gain =>
  measure.startsWith('nDCGexp') ? 'exponential' : measure.startsWith('nDCG') ? 'grade' : 'relevant';

/**
 * @param groups by row: its group, where pairs are to stand within groups and not within queries
 */
export function lessonsOf(
  ranked: RankedQueries<unknown>,
  loss: LossName,
  gain: Gain,
  relevantFrom: number,
  groups: readonly string[] | undefined,
): Lessons {
  const worth = (grade: number): number => {
    if (Number.isNaN(grade)) return 0;
    if (gain === 'relevant') return grade >= relevantFrom ? 1 : 0;
    return gain === 'exponential' ? 2 ** Math.max(0, grade) - 1 : Math.max(0, grade);
  };
  const gains = ranked.grades.map(worth);
  const judged = (rows: Int32Array): Int32Array => rows.filter((row) => !Number.isNaN(ranked.grades[row]!));
  return {
    gains,
    listsOf(rows) {
      if (groups) return byGroup(judged(rows), groups);
      if (loss === 'labels') return { rows: judged(rows), lists: Int32Array.of(0, judged(rows).length) };
      const starts = Array.from(queriesOfRows(ranked, rows), (q) => rows.findIndex((row) => row >= ranked.starts[q]!));
      return { rows, lists: Int32Array.from([...starts, rows.length]) };
    },
  };
}

function byGroup(rows: Int32Array, groups: readonly string[]) {
  const lists = new Map<string, number[]>();
  for (const row of rows) {
    const list = lists.get(groups[row]!) ?? [];
    list.push(row);
    lists.set(groups[row]!, list);
  }
  const starts = [0];
  for (const list of lists.values()) starts.push(starts.at(-1)! + list.length);
  return { rows: Int32Array.from([...lists.values()].flat()), lists: Int32Array.from(starts) };
}

/** Examples with one column of features after another written in. */
export interface FeatureColumn {
  readonly width: number;
  readonly fill: (row: number, into: Float64Array, at: number) => void;
}

/** The examples of some rows: their features beside each other, and their gains. O(rows × features). */
export function examplesOf(lessons: Lessons, from: Int32Array, columns: readonly FeatureColumn[]): Examples {
  const { rows, lists } = lessons.listsOf(from);
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const features = new Float64Array(rows.length * width);
  for (const [r, row] of rows.entries()) {
    let at = r * width;
    for (const column of columns) {
      column.fill(row, features, at);
      at += column.width;
    }
  }
  return { rows: rows.length, width, features, gains: Float64Array.from(rows, (row) => lessons.gains[row]!), lists };
}
