import type { ChildUse } from '../../profile/index.js';
import type { StreamRun } from '../../stream/stream-run.js';
import { Arithmetic } from '../values/arithmetic.js';
import type { Dialect } from '../dialects/dialect.js';
import { Fields } from '../values/fields.js';
import { KeptRows } from '../stages/kept-rows.js';
import { Layers } from '../values/layers.js';
import { numberLiteral } from '../values/literals.js';
import { judgedRows, rowsOfChosen } from '../statement/queries.js';
import type { Relation } from '../rows/relation.js';
import { resultRow } from '../statement/sieve-rows.js';
import { type Target, translateChild } from '../expressions/uses.js';
import type { SqlNumber } from '../values/values.js';
import { ODD } from '../stages/verdict-steps.js';

/** How many rows may be the one with the least, or the greatest, score before the process takes all rows. */
export const MOST_TIES = 4096;

/**
 * A statement that gives the rows of which one has the least or the greatest score of an entry, among those that the
 * vetoes leave, and every odd row: undefined where SQL knows nothing of any.
 *
 * @throws Untranslatable
 */
export function extremesStatement(
  run: StreamRun,
  dialect: Dialect,
  relation: Relation,
  children: readonly ChildUse[],
): string | undefined {
  const layers = new Layers();
  const numbers = new Arithmetic(dialect, layers);
  const target: Target = { numbers, fields: new Fields(dialect, relation, layers), run: run.start };
  const rows = new KeptRows(run, target);
  rows.veto();
  rows.setPinnedAside();
  rows.measure();
  const scores = children.map((child) => translateChild(target, child, rows.variables));
  rows.steps.add({ odd: scores.flatMap(({ odd }) => odd) });
  if (rows.steps.isIdle) return undefined;
  const zero = numberLiteral(dialect, 0);
  const columns = scores.flatMap(({ sql, error }, k) => [
    `(${sql} + ${zero}) AS score${k}`, // −0 becomes 0, as which it is ordered
    `${error === undefined ? zero : `(2 * coalesce(${error}, ${zero}))`} AS error${k}`,
  ]);
  const judged = judgedRows(dialect, relation, target, rows.steps.sql(layers), columns);
  return [
    `WITH assize_judged AS${dialect.materialized} (`,
    judged,
    '),',
    'assize_chosen AS (',
    '  SELECT DISTINCT k, verdict FROM (',
    `    SELECT k, verdict FROM assize_judged WHERE verdict = ${ODD}`,
    ...scores.flatMap((score, k) => [mayBeExtreme(score, k, 'least'), mayBeExtreme(score, k, 'greatest')]),
    '  ) AS extremes',
    ')',
    `${resultRow(dialect, 'chosen', ['0', '0', 'count(*)'], 'NULL')} FROM assize_chosen`,
    rowsOfChosen(dialect, relation),
  ].join('\n');
}

/** The rows that may have an extreme; of those whose scores are exact, the first that has it. */
function mayBeExtreme({ error }: SqlNumber, k: number, which: 'least' | 'greatest'): string {
  const [sign, direction, extreme] = which === 'least' ? ['-', 'ASC', 'min'] : ['+', 'DESC', 'max'];
  const isKept = `verdict = 0 AND score${k} IS NOT NULL`;
  const rows = `SELECT k, verdict FROM assize_judged WHERE ${isKept}`;
  if (error === undefined)
    return `    UNION ALL SELECT * FROM (${rows} ORDER BY score${k} ${direction}, k LIMIT 1) AS ${which}${k}`;
  const opposite = sign === '-' ? '+' : '-';
  const bound = `(SELECT ${extreme}(score${k} ${opposite} error${k}) FROM assize_judged WHERE ${isKept})`;
  const reaches = `score${k} ${sign} error${k} ${which === 'least' ? '<=' : '>='} ${bound}`;
  return `    UNION ALL SELECT * FROM (${rows} AND ${reaches} LIMIT ${MOST_TIES + 1}) AS ${which}${k}`;
}
