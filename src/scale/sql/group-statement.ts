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

class GroupStatement {
  readonly #count: number;
  readonly #enough: string;
  readonly #least: string;
  readonly #most: string;
  readonly #isExact: boolean;

  constructor(
    { plan }: StreamRun,
    private readonly grouped: GroupedRelation,
    private readonly judgement: GroupJudgement,
    private readonly areAdjacent: boolean,
  ) {
    const { score } = judgement;
    this.#count = score ? retainedCount(plan) : 0;
    const { enough, least, most, isExact } = enoughOf(plan, grouped.dialect, score);
    this.#enough = enough;
    this.#least = least;
    this.#most = most;
    this.#isExact = isExact;
  }

  /** Joins only by keys, which are never NULL: a group may be NULL, and PostgreSQL joins NULL row by row. */
  text(): string {
    const { dialect, relation } = this.grouped;
    const { rows, cells } = chosenCells(relation);
    const below = this.#enough === 'verdict = 0' ? '0' : `sum(CASE WHEN ${this.#enough} THEN 0 ELSE 1 END)`;
    const counted = (part: 'count' | 'below', many: string): string =>
      `UNION ALL ${resultRow(dialect, part, ['0', 'assize_counted.verdict', many], 'NULL')}, 1 AS nth, first FROM assize_counted JOIN assize_firsts ON assize_firsts.k = assize_counted.k`;
    return [
      `WITH ${this.judgement.queries.join(',\n')},`,
      `assize_counted AS${dialect.materialized} (`,
      `  SELECT g, verdict, count(*) AS many, ${below} AS below, min(k) AS k FROM assize_judged GROUP BY g, verdict`,
      '),',
      ...this.#near(),
      ...this.#ends(),
      // The first row of a group, which tells the engine the group, is the first one with some verdict.
      `assize_firsts AS${dialect.materialized} (`,
      '  SELECT k, verdict, is_near, min(k) OVER (PARTITION BY g) AS first FROM (',
      '    SELECT k, g, verdict, max(is_near) AS is_near FROM (',
      '      SELECT k, g, verdict, 1 AS is_near FROM assize_near',
      ...(this.judgement.ends.length > 0
        ? ['      UNION ALL SELECT k, g, verdict, 1 AS is_near FROM assize_ends']
        : []),
      '      UNION ALL SELECT k, g, verdict, 0 AS is_near FROM assize_counted',
      '    ) AS every GROUP BY k, g, verdict',
      '  ) AS once',
      '),',
      ...this.#chosen(),
      'SELECT part, pos, verdict, many, cells FROM (',
      `${resultRow(dialect, 'row', ['assize_chosen.pos', 'assize_chosen.verdict', '1'], cells)}, 0 AS nth, first FROM assize_chosen`,
      `  JOIN (${rows}) AS given ON given.k = assize_chosen.k`,
      counted('count', 'many'),
      ...(below === '0' ? [] : [`${counted('below', 'below')} WHERE assize_counted.verdict = 0`]),
      ') AS answer ORDER BY first, nth, pos',
    ].join('\n');
  }

  /** The first rows that have an extreme of their group. */
  #ends(): readonly string[] {
    const { ends } = this.judgement;
    if (ends.length === 0) return [];
    const firsts = ends.map((end) => `min(${end}) AS ${end}`).join(', ');
    const keys = ends.map((end) => `SELECT ${end} AS k FROM assize_extremes`).join(' UNION ALL ');
    return [
      `assize_extremes AS${this.grouped.dialect.materialized} (SELECT ${firsts} FROM assize_judged GROUP BY g),`,
      `assize_ends AS (SELECT assize_judged.k AS k, g, verdict FROM assize_judged JOIN (${keys}) AS extremes ON extremes.k = assize_judged.k),`,
    ];
  }

  /** The chosen rows, with their positions in their groups. */
  #chosen(): readonly string[] {
    const isChosen = 'is_near = 1 OR assize_firsts.k = first';
    if (this.areAdjacent)
      return [`assize_chosen AS (SELECT k, first, verdict, k - first AS pos FROM assize_firsts WHERE ${isChosen})`];
    return [
      'assize_chosen AS (',
      '  SELECT assize_firsts.k, first, verdict, pos FROM assize_firsts JOIN (',
      `    SELECT k, row_number() OVER (PARTITION BY g ORDER BY k) - 1 AS pos FROM (${groupOfRows(this.grouped)}) AS grouped`,
      `  ) AS placed ON placed.k = assize_firsts.k WHERE ${isChosen}`,
      ')',
    ];
  }

  /**
   * The uncertain rows, and all rows that may be among the best of their group: their upper bounds reach the lower bound
   * of the last best row.
   */
  #near(): readonly string[] {
    const isUncertain = `verdict = ${UNCERTAIN}`;
    const near = (query: string): readonly string[] => ['assize_near AS (', `  ${query}`, '),'];
    if (this.#count === 0) return near(`SELECT k, g, verdict FROM assize_judged WHERE ${isUncertain}`);
    const rows = `FROM assize_judged WHERE ${isUncertain} OR (${this.#enough})`;
    const bounded = `CASE WHEN ${this.#enough} THEN ${this.#least} END`;
    const place = `row_number() OVER (PARTITION BY g, ${isUncertain} ORDER BY score DESC, k)`;
    const bar = this.grouped.dialect.nthGreatest?.(bounded, this.#count);
    if (bar !== undefined) {
      const reach = `${isUncertain} OR ((${this.#enough}) AND (bar IS NULL OR ${this.#most} >= bar))`;
      const columns = `k, assize_judged.g AS g, verdict`;
      const all = `FROM assize_judged JOIN assize_bars ON assize_bars.g IS NOT DISTINCT FROM assize_judged.g WHERE ${reach}`;
      return [
        `assize_bars AS (SELECT g, ${bar} AS bar FROM assize_judged GROUP BY g),`,
        // At equal scores, the first position wins.
        ...(this.#isExact
          ? near(
              `SELECT k, g, verdict FROM (SELECT k, g, verdict, ${place} AS place FROM (SELECT ${columns}, score ${all}) AS reaching) AS placed WHERE ${isUncertain} OR place <= ${this.#count}`,
            )
          : near(`SELECT ${columns} ${all}`)),
      ];
    }
    // Two queries: PostgreSQL stops numbering the rows of a group early only if `place` alone is compared.
    if (this.#isExact)
      return near(
        `SELECT k, g, verdict FROM assize_judged WHERE ${isUncertain} UNION ALL SELECT k, g, verdict FROM (SELECT k, g, verdict, row_number() OVER (PARTITION BY g ORDER BY score DESC, k) AS place FROM assize_judged WHERE ${this.#enough}) AS placed WHERE place <= ${this.#count}`,
      );
    // NULL for the first rows in the order of lower bounds, which are near.
    const nth = `nth_value(${bounded}, ${this.#count}) OVER (PARTITION BY g ORDER BY ${bounded} DESC NULLS LAST ROWS UNBOUNDED PRECEDING)`;
    return near(
      `SELECT k, g, verdict FROM (SELECT k, g, verdict, ${this.#most} AS most, ${nth} AS bar ${rows}) AS bounded WHERE ${isUncertain} OR bar IS NULL OR most >= bar`,
    );
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
