import { retainedCount, type StreamRun } from '../../pipeline/index.js';
import type { ResultColumn } from '../../data/node.js';
import type { Column } from './dialect.js';
import { type GroupedRelation, type GroupJudgement, judgeGroups } from './group-judgement.js';
import { enoughOf, type GroupFacts, type GroupPrefilter, groupOfRows } from './group-statement.js';
import { UNCERTAIN } from './kept-rows.js';
import { readTable } from './relation.js';

/** A field of the rows, as a column of a statement. */
export interface FieldColumn {
  readonly column: Column;
  readonly kind: ResultColumn['kind'];
}

/** The columns of the statement before the fields. Each is a number. The number of rows with each refusal follows. */
export const FACT_COLUMNS = ['first', 'pos', 'verdict', 'given', 'scored', 'below'] as const;

/** A statement that returns rows of groups by column. */
export interface GroupColumnsPrefilter extends GroupPrefilter {
  /** The verdicts of refused rows. */
  readonly verdicts: readonly number[];
}

/**
 * Translates a profile for one run over groups, as `translateGroups`, but each row of the result has the fields as
 * columns, and facts: the key of the group's first row, the position in the group, the verdict, and the number of rows
 * of the group, of those that SQL has scored, of those below `min_score`, and of those with each refusal.
 *
 * @returns undefined if the database cannot return rows of a known table by column, or finds no nth greatest score
 */
export function translateGroupColumns(
  run: StreamRun,
  grouped: GroupedRelation,
  fields: readonly FieldColumn[],
  { areAdjacent }: GroupFacts,
): GroupColumnsPrefilter | undefined {
  const { dialect, relation } = grouped;
  const { table } = relation;
  if (!table || !dialect.joinsNull) return undefined;
  const judgement = judgeGroups(run, grouped);
  const chosen = chosenRows(run, grouped, judgement);
  if (!chosen) return undefined;
  const place = areAdjacent
    ? { pos: 'chosen.k - first', join: [] }
    : {
        pos: 'placed.pos',
        join: [
          `  JOIN (SELECT k, row_number() OVER (PARTITION BY g ORDER BY k) - 1 AS pos FROM (${groupOfRows(grouped)}) AS grouped) AS placed ON placed.k = chosen.k`,
        ],
      };
  const number = (sql: string): string => `CAST(${sql} AS ${dialect.types.number})`;
  const counts = ['given', 'scored', 'below', ...judgement.verdicts.map((verdict) => `refused${verdict}`)];
  const facts = ['first', place.pos, 'verdict', ...counts].map(number);
  const own = fields.map(({ column }, k) => [column.name, `assize_field${k}`] as const);
  const values = fields.map(({ column: { type }, kind }, k) => {
    const sql = `assize_field${k}`;
    if (kind === 'number') return dialect.double(sql, type);
    if (kind === 'millis') return dialect.millis(sql, type);
    return kind === 'text' ? dialect.textOf(sql, type) : sql;
  });
  const sql = [
    `WITH ${[...judgement.queries, ...chosen].join(',\n')}`,
    `SELECT ${[...facts, ...values].join(', ')}`,
    'FROM assize_chosen AS chosen',
    ...place.join,
    `  JOIN (${readTable(dialect, table.sql, table.key, own)}) AS given_rows ON given_rows.k = chosen.k`,
    'ORDER BY first, chosen.k',
  ].join('\n');
  return { ...judgement, sql };
}

/** The WITH queries up to `assize_chosen`. */
function chosenRows(
  { plan }: StreamRun,
  { dialect }: GroupedRelation,
  { score, ends, verdicts }: GroupJudgement,
): readonly string[] | undefined {
  const count = score ? retainedCount(plan) : 0;
  const { enough, least, most, isExact } = enoughOf(plan, dialect, score);
  const bar = count === 0 ? 'NULL' : dialect.nthGreatest?.(`CASE WHEN ${enough} THEN ${least} END`, count);
  if (bar === undefined) return undefined;
  const many = (condition: string, name: string): string => `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS ${name}`;
  const groups = [
    'g',
    'min(k) AS first',
    'count(*) AS given',
    many('verdict = 0', 'scored'),
    many(`verdict = 0 AND NOT (${enough})`, 'below'),
    ...verdicts.map((verdict) => many(`verdict = ${verdict}`, `refused${verdict}`)),
    `${bar} AS bar`,
    ...ends.map((end) => `min(CASE WHEN ${end} THEN k END) AS first_${end}`),
  ];
  const must = [`verdict = ${UNCERTAIN}`, 'k = first', ...ends.map((end) => `k = first_${end}`)].join(' OR ');
  const reaches = count === 0 ? 'FALSE' : `(${enough} AND (bar IS NULL OR ${most} >= bar))`;
  const reaching = `SELECT k, verdict, score, assize_groups.*, (${must}) AS is_needed, ${reaches} AS is_near FROM assize_judged JOIN assize_groups ON assize_groups.g IS NOT DISTINCT FROM assize_judged.g WHERE ${must} OR ${reaches}`;
  // At equal scores, the first position wins.
  const best = isExact
    ? `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY first, is_near ORDER BY score DESC, k) AS place FROM (${reaching}) AS reaching) AS placed WHERE is_needed OR (is_near AND place <= ${count})`
    : reaching;
  return [
    `assize_groups AS${dialect.materialized} (SELECT ${groups.join(', ')} FROM assize_judged GROUP BY g)`,
    `assize_chosen AS (${best})`,
  ];
}
