import { parsePath } from '../../expression/index.js';
import { retainedCount, type StreamRun } from '../../pipeline/index.js';
import type { Plan } from '../../engine/index.js';
import type { Dialect } from './dialect.js';
import { Fields } from './fields.js';
import { type GroupedRelation, type GroupJudgement, judgeGroups } from './group-judgement.js';
import { UNCERTAIN } from './kept-rows.js';
import { chosenCells } from './relation.js';
import { resultRow, type PrefilterRow } from './prefilter-rows.js';
import type { Prefilter } from './statement.js';
import { anyOf, Layers, numberLiteral } from './values.js';

/** Facts about the groups of all rows. */
export interface GroupFacts {
  readonly rows: number;
  /** The number of rows whose group has a value. */
  readonly named: number;
  /** The number of rows whose group SQL cannot know. */
  readonly uncertain: number;
  /** Whether the keys of each group are whole numbers without gaps, so that positions follow from keys. */
  readonly areAdjacent: boolean;
}

const FACTS = { rows: 0, named: 1, uncertain: 2, gaps: 3 } as const;

/** A statement that counts what `GroupFacts` needs. Reads only the group. */
export function factsStatement({ dialect, relation, by }: GroupedRelation): string {
  const layers = new Layers();
  const fields = new Fields(dialect, relation, layers);
  const { sql, uncertain } = fields.group(parsePath(by));
  const unknown = anyOf([...uncertain, ...(relation.marksUncertain ? ['uncertain_row'] : [])]);
  const rows = layers.around(relation.read(fields.columns), dialect.fence);
  const count = (fact: keyof typeof FACTS, many: string): string =>
    `${resultRow(dialect, 'count', ['0', `${FACTS[fact]}`, `coalesce(${many}, 0)`], 'NULL')} FROM assize_groups`;
  const gaps = relation.hasWholeKeys ? 'max(k) - min(k) + 1 - count(*)' : '1';
  return [
    `WITH assize_groups AS${dialect.materialized} (`,
    `  SELECT g, count(*) AS many, sum(CASE WHEN bad THEN 1 ELSE 0 END) AS bad, ${gaps} AS gaps`,
    `  FROM (SELECT k, ${sql} AS g, ${unknown} AS bad FROM (\n${rows}\n) AS d) AS grouped GROUP BY g`,
    ')',
    count('rows', 'sum(many)'),
    `UNION ALL ${count('named', 'sum(CASE WHEN g IS NULL THEN 0 ELSE many END)')}`,
    `UNION ALL ${count('uncertain', 'sum(bad)')}`,
    `UNION ALL ${count('gaps', 'sum(gaps)')}`,
  ].join('\n');
}

export function factsOf(answer: readonly PrefilterRow[]): GroupFacts {
  const [rows = 0, named = 0, uncertain = 0, gaps = 0] = answer
    .toSorted((a, b) => a.verdict - b.verdict)
    .map(({ many }) => many);
  return { rows, named, uncertain, areAdjacent: gaps === 0 };
}

/** A profile as one statement that ranks each group. */
export interface GroupPrefilter extends Pick<Prefilter, 'sql' | 'parts' | 'isIdle'>, Pick<GroupJudgement, 'asSet'> {}

/**
 * Translates a profile for one run over groups. The statement returns, in the order of the groups' first rows, for each
 * group: its rows of the part `row`, of which the first has position 0, then its counts, as `Prefilter` describes them.
 */
export function translateGroups(run: StreamRun, grouped: GroupedRelation, areAdjacent: boolean): GroupPrefilter {
  const judgement = judgeGroups(run, grouped);
  const sql = new GroupStatement(run, grouped, judgement, areAdjacent).text();
  return { ...judgement, sql };
}

/** When a scored row may be selected, and the bounds of its score. */
export interface Enough {
  /** When a row is scored, and its score reaches `min_score`. */
  readonly enough: string;
  /** The lower and the upper bound of a score. */
  readonly least: string;
  readonly most: string;
  /** Whether SQL orders rows as the engine does. */
  readonly isExact: boolean;
}

export function enoughOf({ select }: Plan, dialect: Dialect, score: GroupJudgement['score']): Enough {
  const { minScore, ties } = select;
  const least = minScore === undefined ? [] : [`score >= ${numberLiteral(dialect, minScore)}`];
  const hasError = score?.error !== undefined;
  return {
    enough: ['verdict = 0', ...least].join(' AND '),
    least: hasError ? 'score - error' : 'score',
    most: hasError ? 'score + error' : 'score',
    isExact: !hasError && (ties === undefined || ties[0] === undefined),
  };
}

/**
 * Writes the statement in passes over all rows: `assize_judged`; `assize_placed`, with the position and the key of the
 * first row of the group; `assize_counted`; `assize_groups`, with facts of each group; and `assize_chosen`.
 */
class GroupStatement {
  readonly #count: number;
  readonly #enough: Enough;
  /** The aggregate that finds the lower bound of the last best row of a group; undefined if a window finds the best rows. */
  readonly #bar: string | undefined;

  constructor(
    { plan }: StreamRun,
    private readonly grouped: GroupedRelation,
    private readonly judgement: GroupJudgement,
    private readonly areAdjacent: boolean,
  ) {
    const { score } = judgement;
    const { dialect } = grouped;
    this.#count = score ? retainedCount(plan) : 0;
    this.#enough = enoughOf(plan, dialect, score);
    this.#bar =
      this.#count === 0 ? undefined : dialect.nthGreatest?.('CASE WHEN is_enough = 1 THEN least END', this.#count);
  }

  /** Joins only by keys, which are never NULL: a group may be NULL, and PostgreSQL joins NULL row by row. */
  text(): string {
    const { dialect, relation } = this.grouped;
    const { rows, cells } = chosenCells(relation);
    const counted = (part: 'count' | 'below', many: string): string =>
      `UNION ALL ${resultRow(dialect, part, ['0', 'verdict', many], 'NULL')}, 1 AS nth, first FROM assize_counted`;
    const mayBeBelow = this.#enough.enough !== 'verdict = 0';
    const queries = [
      ...this.judgement.queries,
      `assize_placed AS${dialect.materialized} (${this.#placed()})`,
      `assize_counted AS${dialect.materialized} (SELECT first, verdict, count(*) AS many, sum(1 - is_enough) AS below FROM assize_placed GROUP BY first, verdict)`,
      ...this.#chosen(),
    ];
    return [
      `WITH ${queries.join(',\n')}`,
      'SELECT part, pos, verdict, many, cells FROM (',
      `${resultRow(dialect, 'row', ['assize_chosen.pos', 'assize_chosen.verdict', '1'], cells)}, 0 AS nth, first FROM assize_chosen`,
      `  JOIN (${rows}) AS given ON given.k = assize_chosen.k`,
      counted('count', 'many'),
      ...(mayBeBelow ? [`${counted('below', 'below')} WHERE verdict = 0`] : []),
      ') AS answer ORDER BY first, nth, pos',
    ].join('\n');
  }

  /** Windows that start with the same order need only one sort of all rows. */
  #placed(): string {
    const { enough, least, most, isExact } = this.#enough;
    const { dialect } = this.grouped;
    const own = ['k', 'verdict', 'score', ...this.judgement.ends];
    const columns = [
      ...own,
      `${least} AS least`,
      `${most} AS most`,
      `CASE WHEN ${enough} THEN 1 ELSE 0 END AS is_enough`,
    ];
    if (dialect.joinsNull && this.areAdjacent) {
      const firsts = 'SELECT g AS own, min(k) AS first FROM assize_judged GROUP BY g';
      return `SELECT ${columns.join(', ')}, k - first AS pos, first FROM assize_judged JOIN (${firsts}) AS firsts ON own IS NOT DISTINCT FROM g`;
    }
    const inOrder = 'OVER (PARTITION BY g ORDER BY k)';
    columns.push(`row_number() ${inOrder} - 1 AS pos`, `first_value(k) ${inOrder} AS first`);
    if (this.#count > 0 && this.#bar === undefined) {
      const bounded = `CASE WHEN ${enough} THEN ${least} END`;
      columns.push(
        isExact
          ? `row_number() OVER (PARTITION BY g ORDER BY ${bounded} DESC NULLS LAST, k) AS place`
          : // NULL for the first rows in the order of lower bounds, which are near.
            `nth_value(${bounded}, ${this.#count}) OVER (PARTITION BY g ORDER BY ${bounded} DESC NULLS LAST ROWS UNBOUNDED PRECEDING) AS bar`,
      );
    }
    return `SELECT ${columns.join(', ')} FROM assize_judged`;
  }

  /**
   * The first row of each group, uncertain rows, the first rows with an extreme, and all rows that may be among the best of
   * their group: their upper bounds reach the lower bound of the last best row.
   */
  #chosen(): readonly string[] {
    const { materialized } = this.grouped.dialect;
    const { ends } = this.judgement;
    const { isExact } = this.#enough;
    const facts = [
      ...(this.#bar === undefined ? [] : [`${this.#bar} AS bar`]),
      ...ends.map((end) => `min(CASE WHEN ${end} THEN pos END) AS first_${end}`),
    ];
    const isNeeded = [`verdict = ${UNCERTAIN}`, 'pos = 0', ...ends.map((end) => `pos = first_${end}`)].join(' OR ');
    const reaches = 'is_enough = 1 AND (bar IS NULL OR most >= bar)';
    const inPlace = `is_enough = 1 AND place <= ${this.#count}`;
    const isNear = this.#count === 0 ? 'FALSE' : isExact && this.#bar === undefined ? inPlace : reaches;
    const join = facts.length === 0 ? '' : ' JOIN assize_groups ON assize_groups.first = assize_placed.first';
    const columns = 'k, verdict, pos, assize_placed.first AS first';
    const from = `FROM assize_placed${join} WHERE ${isNeeded} OR (${isNear})`;
    // At equal scores, the first position wins.
    const chosen =
      isExact && this.#bar !== undefined
        ? `SELECT k, verdict, pos, first FROM (SELECT *, row_number() OVER (PARTITION BY first, is_near ORDER BY score DESC, k) AS place FROM (SELECT ${columns}, score, (${isNeeded}) AS is_needed, (${isNear}) AS is_near ${from}) AS reaching) AS numbered WHERE is_needed OR (is_near AND place <= ${this.#count})`
        : `SELECT ${columns} ${from}`;
    return [
      ...(facts.length === 0
        ? []
        : [`assize_groups AS${materialized} (SELECT first, ${facts.join(', ')} FROM assize_placed GROUP BY first)`]),
      `assize_chosen AS (${chosen})`,
    ];
  }
}

/** A query of the keys of all rows and their groups, which reads nothing else. */
export function groupOfRows({ dialect, relation, by }: GroupedRelation): string {
  const layers = new Layers();
  const fields = new Fields(dialect, relation, layers);
  const { sql } = fields.group(parsePath(by));
  return `SELECT k, ${sql} AS g FROM (\n${layers.around(relation.read(fields.columns), dialect.fence)}\n) AS d`;
}

/** A statement that returns every row, in the order of the groups' first rows. */
export function allGroupedRows(grouped: GroupedRelation): string {
  const { dialect, relation } = grouped;
  return [
    `WITH assize_grouped AS (${groupOfRows(grouped)}),`,
    'assize_placed AS (SELECT k, first_value(k) OVER (PARTITION BY g ORDER BY k) AS first FROM assize_grouped)',
    'SELECT part, pos, verdict, many, cells FROM (',
    `${resultRow(dialect, 'row', ['0', '0', '1'], 'given.cells')}, first, assize_placed.k AS k FROM assize_placed`,
    `  JOIN (${relation.cells}) AS given ON given.k = assize_placed.k`,
    ') AS answer ORDER BY first, k',
  ].join('\n');
}
