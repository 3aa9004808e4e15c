import type { Dialect } from '../dialects/dialect.js';
import type { Relation } from '../rows/relation.js';
import { resultRow } from './sieve-rows.js';
import type { Target } from '../expressions/uses.js';
import { ODD } from '../stages/verdict-steps.js';

/** A query of `k`, the verdict of each row, and more columns. */
export function judgedRows(
  dialect: Dialect,
  relation: Relation,
  { fields, numbers: { layers } }: Target,
  verdict: string,
  columns: readonly string[],
): string {
  const once = dialect.once?.(verdict) ?? verdict;
  const judged = `${relation.marksOdd ? `CASE WHEN odd_row THEN ${ODD} ELSE ${once} END` : once} AS verdict`;
  const rows = layers.around(relation.read(fields.columns), dialect.fence);
  return `SELECT k,\n  ${[judged, ...columns].join(',\n  ')}\nFROM (\n${rows}\n) AS d`;
}

/** The rows that are chosen, with their places and all that they hold. */
export const rowsOfChosen = (dialect: Dialect, { cells, positions }: Relation): string =>
  [
    `UNION ALL ${resultRow(dialect, 'row', [positions ? 'placed.pos' : 'assize_chosen.k', 'assize_chosen.verdict', '1'], 'given.cells')} FROM assize_chosen`,
    `  JOIN (${cells}) AS given ON given.k = assize_chosen.k`,
    ...(positions ? [`  JOIN (${positions}) AS placed ON placed.k = assize_chosen.k`] : []),
  ].join('\n');

/** The best by scores that are exact: what is beyond a full number is out, at equal scores by position. */
export const bestRows = (enough: string, count: number): readonly string[] => [
  'assize_best AS (',
  `  SELECT k, verdict FROM assize_judged WHERE ${enough} ORDER BY score DESC, k LIMIT ${count}`,
  '),',
];

/**
 * All that may be among the best: at its highest, a row must reach what the last of the best is at its lowest. Ties that
 * are not by position are the process's, so that equal scores are all in.
 */
export const nearBest = (enough: string, count: number): readonly string[] => [
  'assize_surely AS (',
  `  SELECT score - error AS least FROM assize_judged WHERE ${enough} ORDER BY score - error DESC LIMIT ${count}`,
  '),',
  'assize_bar AS (',
  `  SELECT CASE WHEN count(*) >= ${count} THEN min(least) END AS least FROM assize_surely`,
  '),',
  'assize_best AS (',
  '  SELECT k, verdict FROM assize_judged CROSS JOIN assize_bar',
  `  WHERE ${enough} AND (assize_bar.least IS NULL OR score + error >= assize_bar.least)`,
  '),',
];

/** Those that may score most, whatever the process finds out; and the most that any other may. */
export const mostPromising = (count: number): readonly string[] => [
  'assize_best AS (',
  `  SELECT k, verdict FROM assize_judged WHERE verdict = 0 ORDER BY score + error DESC, k LIMIT ${count}`,
  '),',
  'assize_next AS (',
  `  SELECT score + error AS bound FROM assize_judged WHERE verdict = 0 ORDER BY score + error DESC, k LIMIT 1 OFFSET ${count}`,
  '),',
];
