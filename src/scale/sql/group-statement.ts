import { parsePath } from '../../expression/index.js';
import { retainedCount, type StreamRun } from '../../pipeline/index.js';
import { Arithmetic } from './arithmetic.js';
import type { Dialect } from './dialect.js';
import type { Target } from './expression.js';
import { Fields } from './fields.js';
import { JudgementTranslator, type Judgement } from './judgement.js';
import { UNCERTAIN } from './kept-rows.js';
import type { Relation } from './relation.js';
import { resultRow, type PrefilterRow } from './prefilter-rows.js';
import { judgedRows, type Prefilter, setReason } from './statement.js';
import { anyOf, Layers, numberLiteral } from './values.js';

/** The rows that a statement divides into groups. */
export interface GroupedRelation {
  readonly dialect: Dialect;
  readonly relation: Relation;
  /** The path of the group. */
  readonly by: string;
}

/** What is known about the groups of all rows. */
export interface GroupFacts {
  readonly rows: number;
  /** The number of rows whose group has a value. */
  readonly named: number;
  /** The number of rows whose group SQL cannot know. */
  readonly uncertain: number;
  /** Whether the rows of each group are adjacent, so that positions follow from keys. */
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
  // A position is a whole number; a key of a table may be a text.
  const gaps = relation.positions === undefined ? 'max(k) - min(k) + 1 - count(*)' : '1';
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
export interface GroupPrefilter extends Pick<Prefilter, 'sql' | 'parts' | 'isIdle'> {
  /** Whether the engine ranks the rows that pass the vetoes as one set, because SQL does not score them. */
  readonly asSet: boolean;
}

/**
 * Translates a profile for one run over groups. The statement returns, in the order of the groups' first rows, for each
 * group: its rows of the part `row`, of which the first has position 0, then its counts, as `Prefilter` describes them.
 */
export function translateGroups(run: StreamRun, grouped: GroupedRelation, areAdjacent: boolean): GroupPrefilter {
  const found = translateFor(run, grouped, areAdjacent, setReason(run.plan.profile));
  if (!found.isBound) return found;
  return translateFor(run, grouped, areAdjacent, 'in each group, only the most promising rows need it');
}

function translateFor(
  run: StreamRun,
  { dialect, relation, by }: GroupedRelation,
  areAdjacent: boolean,
  leave: string | undefined,
): GroupPrefilter & Pick<Judgement, 'isBound'> {
  const layers = new Layers();
  const fields = new Fields(dialect, relation, layers);
  const target: Target = { numbers: new Arithmetic(dialect, layers), fields, run: run.start };
  const judgement = new JudgementTranslator(run, target, leave).translate();
  const { verdict, score, notes, isIdle, isBound } = judgement;
  const zero = numberLiteral(dialect, 0);
  const judged = judgedRows(dialect, relation, target, verdict, [
    `${score ? `(${score.sql} + ${zero})` : zero} AS score`,
    ...(score?.error === undefined ? [] : [`(2 * coalesce(${score.error}, ${zero})) AS error`]),
    `${fields.group(parsePath(by)).sql} AS g`,
  ]);
  const sql = new GroupStatement(run, dialect, relation, score, areAdjacent).text(judged);
  return { sql, parts: notes, isIdle, isBound, asSet: leave !== undefined };
}

class GroupStatement {
  readonly #count: number;
  /** When a row is scored, and its score reaches `min_score`. */
  readonly #enough: string;
  /** The lower and the upper bound of a score. */
  readonly #least: string;
  readonly #most: string;
  /** Whether SQL orders rows as the engine does. */
  readonly #isExact: boolean;

  constructor(
    { plan }: StreamRun,
    private readonly dialect: Dialect,
    private readonly relation: Relation,
    score: Judgement['score'],
    private readonly areAdjacent: boolean,
  ) {
    const { minScore, ties } = plan.select;
    this.#count = score ? retainedCount(plan) : 0;
    const least = minScore === undefined ? [] : [`score >= ${numberLiteral(dialect, minScore)}`];
    this.#enough = ['verdict = 0', ...least].join(' AND ');
    const hasError = score?.error !== undefined;
    this.#least = hasError ? 'score - error' : 'score';
    this.#most = hasError ? 'score + error' : 'score';
    this.#isExact = !hasError && (ties === undefined || ties[0] === undefined);
  }

  text(judged: string): string {
    const { dialect, relation } = this;
    const counted = (part: 'count' | 'below', verdict: string, where: string): string =>
      `UNION ALL ${resultRow(dialect, part, ['0', verdict, 'count(*)'], 'NULL')}, 1 AS nth, first FROM assize_placed${where}`;
    return [
      `WITH assize_judged AS${dialect.materialized} (`,
      judged,
      '),',
      ...(this.areAdjacent ? this.#placedByKey() : this.#placedByOrder()),
      ...this.#chosen(),
      'SELECT part, pos, verdict, many, cells FROM (',
      `${resultRow(dialect, 'row', ['assize_chosen.pos', 'assize_chosen.verdict', '1'], 'given.cells')}, 0 AS nth, first FROM assize_chosen`,
      `  JOIN (${relation.cells}) AS given ON given.k = assize_chosen.k`,
      counted('count', 'verdict', ' GROUP BY first, verdict'),
      ...(this.#enough === 'verdict = 0'
        ? []
        : [counted('below', '0', ` WHERE verdict = 0 AND NOT (${this.#enough}) GROUP BY first`)]),
      ') AS answer ORDER BY first, nth, pos',
    ].join('\n');
  }

  get #columns(): string {
    return `verdict, score${this.#least === 'score' ? '' : ', error'}`;
  }

  /** If groups are adjacent: the first key of a group gives the positions of all its rows. */
  #placedByKey(): readonly string[] {
    const { dialect } = this;
    const bar = this.#count > 0 ? dialect.nthGreatest?.(this.#bounded, this.#count) : 'NULL';
    if (bar === undefined) return this.#placedByOrder();
    return [
      `assize_groups AS${dialect.materialized} (`,
      `  SELECT g, min(k) AS first, ${bar} AS bar FROM assize_judged GROUP BY g`,
      '),',
      'assize_placed AS (',
      `  SELECT k, first, k - first AS pos, ${this.#columns}, bar FROM assize_judged`,
      '  JOIN assize_groups ON assize_groups.g IS NOT DISTINCT FROM assize_judged.g',
      '),',
    ];
  }

  /** Sorts the rows of each group by their keys, and again by their scores. */
  #placedByOrder(): readonly string[] {
    const bar = `nth_value(${this.#bounded}, ${this.#count}) OVER (PARTITION BY first ORDER BY ${this.#bounded} DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`;
    const placed = this.#count > 0 ? 'assize_ordered' : 'assize_placed';
    return [
      `${placed} AS (`,
      `  SELECT k, first_value(k) OVER given AS first, row_number() OVER given - 1 AS pos, ${this.#columns}`,
      '  FROM assize_judged WINDOW given AS (PARTITION BY g ORDER BY k)',
      '),',
      ...(this.#count > 0 ? [`assize_placed AS (SELECT *, ${bar} AS bar FROM assize_ordered),`] : []),
    ];
  }

  /** The lower bound of a score that may be selected; NULL for other rows. */
  get #bounded(): string {
    return `CASE WHEN ${this.#enough} THEN ${this.#least} END`;
  }

  /**
   * The uncertain rows, the first row of each group, and all rows that may be among the best of their group: their upper
   * bounds reach the lower bound of the last best row. The first row tells the engine the group.
   */
  #chosen(): readonly string[] {
    const columns = 'k, first, pos, verdict';
    const always = `verdict = ${UNCERTAIN} OR pos = 0`;
    if (this.#count === 0) return ['assize_chosen AS (', `  SELECT ${columns} FROM assize_placed WHERE ${always}`, ')'];
    const near = `(${this.#enough} AND (bar IS NULL OR ${this.#most} >= bar))`;
    if (!this.#isExact)
      return ['assize_chosen AS (', `  SELECT ${columns} FROM assize_placed WHERE ${always} OR ${near}`, ')'];
    // Many rows may have the score of the bar. At equal scores, the first position wins.
    return [
      'assize_near AS (',
      `  SELECT ${columns}, ${near} AS is_near, row_number() OVER (PARTITION BY first, ${near} ORDER BY score DESC, pos) AS place`,
      `  FROM assize_placed WHERE ${always} OR ${near}`,
      '),',
      'assize_chosen AS (',
      `  SELECT ${columns} FROM assize_near WHERE ${always} OR (is_near AND place <= ${this.#count})`,
      ')',
    ];
  }
}

/** A statement that returns every row, in the order of the groups' first rows. */
export function allGroupedRows({ dialect, relation, by }: GroupedRelation): string {
  const layers = new Layers();
  const fields = new Fields(dialect, relation, layers);
  const { sql } = fields.group(parsePath(by));
  const rows = layers.around(relation.read(fields.columns), dialect.fence);
  return [
    `WITH assize_grouped AS (SELECT k, ${sql} AS g FROM (\n${rows}\n) AS d),`,
    'assize_placed AS (SELECT k, first_value(k) OVER (PARTITION BY g ORDER BY k) AS first FROM assize_grouped)',
    'SELECT part, pos, verdict, many, cells FROM (',
    `${resultRow(dialect, 'row', ['0', '0', '1'], 'given.cells')}, first, assize_placed.k AS k FROM assize_placed`,
    `  JOIN (${relation.cells}) AS given ON given.k = assize_placed.k`,
    ') AS answer ORDER BY first, k',
  ].join('\n');
}
