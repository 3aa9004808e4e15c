import { parsePath } from '../../expression/index.js';
import type { ChildUse } from '../../profile/index.js';
import type { StreamRun } from '../../pipeline/index.js';
import { Arithmetic } from './arithmetic.js';
import { type Dialect, Untranslatable } from './dialect.js';
import { type Extremes, type Target, translateChild } from './expression.js';
import { extremesRead } from './extremes.js';
import { Fields } from './fields.js';
import { type Judgement, JudgementTranslator } from './judgement.js';
import { KeptRows, UNCERTAIN } from './kept-rows.js';
import type { Relation } from './relation.js';
import { judgedRows, setReason } from './statement.js';
import { Layers, numberLiteral, type SqlNumber } from './values.js';

/** The rows that a statement divides into groups. */
export interface GroupedRelation {
  readonly dialect: Dialect;
  readonly relation: Relation;
  /** The path of the group. */
  readonly by: string;
}

/** The SQL that judges each row of each group. */
export interface GroupJudgement extends Pick<Judgement, 'score' | 'isIdle' | 'verdicts'> {
  /** The WITH queries up to `assize_judged`, which has the columns k, verdict, score, error if any, g, and `ends`. */
  readonly queries: readonly string[];
  /**
   * Columns that are true for rows with a minimum or maximum by which a scorer scales. The process needs the first such
   * row of each group.
   */
  readonly ends: readonly string[];
  readonly parts: Judgement['notes'];
  /** Whether the engine ranks the rows that pass the vetoes as one set, because SQL does not score them. */
  readonly asSet: boolean;
}

/** Judges with as many parts of the profile as SQL can evaluate. */
export function judgeGroups(run: StreamRun, grouped: GroupedRelation): GroupJudgement {
  const scaled = judgeScaled(run, grouped);
  if (scaled) return scaled;
  const found = judge(run, grouped, setReason(run.plan.profile));
  return found.isBound ? judge(run, grouped, 'in each group, only the most promising rows need it') : found;
}

/** @param leave why SQL does not score */
function judge(
  run: StreamRun,
  { dialect, relation, by }: GroupedRelation,
  leave: string | undefined,
): GroupJudgement & Pick<Judgement, 'isBound'> {
  const target = newTarget(run, dialect, relation);
  const { verdict, verdicts, score, notes, isIdle, isBound } = new JudgementTranslator(run, target, leave).translate();
  const columns = [...scoreColumns(dialect, score), `${target.fields.group(parsePath(by)).sql} AS g`];
  const queries = [named(dialect, 'assize_judged', judgedRows(dialect, relation, target, verdict, columns))];
  return { queries, ends: [], score, verdicts, parts: notes, isIdle, isBound, asSet: leave !== undefined };
}

function newTarget(run: StreamRun, dialect: Dialect, relation: Relation, extremes?: Extremes): Target {
  const layers = new Layers();
  const fields = new Fields(dialect, relation, layers);
  return { numbers: new Arithmetic(dialect, layers), fields, run: run.start, extremes };
}

const named = ({ materialized }: Dialect, name: string, query: string): string =>
  `${name} AS${materialized} (\n${query}\n)`;

function scoreColumns(dialect: Dialect, score: SqlNumber | undefined): readonly string[] {
  const zero = numberLiteral(dialect, 0);
  return [
    `${score ? `(${score.sql} + ${zero})` : zero} AS score`,
    ...(score?.error === undefined ? [] : [`(2 * coalesce(${score.error}, ${zero})) AS error`]),
  ];
}

/**
 * Judges with scorers that scale by the minimum and maximum of each group, which an aggregate computes first. If a row of
 * a group is uncertain before its scores, so are all rows of the group, because the row may have an extreme.
 *
 * @returns undefined if the profile compares rows in another way, or if SQL cannot compute the extremes to the bit
 */
function judgeScaled(run: StreamRun, grouped: GroupedRelation): GroupJudgement | undefined {
  const { dialect, relation, by } = grouped;
  const children = extremesRead(run);
  if (!children) return undefined;
  const inner = newTarget(run, dialect, relation);
  const kept = new KeptRows(run, inner);
  const scores = childScores(inner, kept, children);
  if (!scores || kept.steps.isIdle) return undefined;
  const extremes = new Map(
    children.map((child, k) => {
      const end = (sql: string): SqlNumber => ({
        kind: 'number',
        sql,
        error: undefined,
        most: scores[k]!.most,
        uncertain: [],
      });
      return [child, { least: end(`low${k}`), greatest: end(`high${k}`) }] as const;
    }),
  );
  const outer = newTarget(run, dialect, relation, extremes);
  const { verdict, verdicts, score, notes, isIdle, isBound } = new JudgementTranslator(run, outer).translate();
  if (!score || isIdle || isBound) return undefined;
  const own = [...outer.fields.columns].map(([name, sql]) => [inner.fields.use(name), sql] as const);
  const zero = numberLiteral(dialect, 0);
  const keptRows = judgedRows(dialect, relation, inner, kept.steps.sql(inner.numbers.layers), [
    `${inner.fields.group(parsePath(by)).sql} AS g`,
    ...scores.map(({ sql }, k) => `(${sql} + ${zero}) AS given${k}`), // −0 and 0 are equal extremes
    ...own.map(([from, to]) => `${from} AS ${to}`),
  ]);
  const once = dialect.once?.(verdict) ?? verdict;
  const ends = children.flatMap((_, k) => [
    `(kept = 0 AND given${k} = low${k}) AS is_least${k}`,
    `(kept = 0 AND given${k} = high${k}) AS is_greatest${k}`,
  ]);
  const columns = [
    `CASE WHEN kept > 0 THEN kept WHEN unsure = 1 THEN ${UNCERTAIN} ELSE ${once} END AS verdict`,
    ...scoreColumns(dialect, score),
    'g',
    ...ends,
  ];
  const base = withExtremes(
    grouped,
    children.length,
    own.map(([, name]) => name),
  );
  const rows = outer.numbers.layers.around(base.sql, dialect.fence, columns);
  const judged = `SELECT k,\n  ${columns.join(',\n  ')}\nFROM (\n${rows}\n) AS d`;
  const queries = [named(dialect, 'assize_kept', keptRows), ...base.queries, named(dialect, 'assize_judged', judged)];
  const names = children.flatMap((_, k) => [`is_least${k}`, `is_greatest${k}`]);
  return { queries, ends: names, score, verdicts, parts: notes, isIdle, asSet: false };
}

/** The scores of the nested scorers whose extremes are needed; undefined if SQL does not have their bits. */
function childScores(target: Target, kept: KeptRows, children: readonly ChildUse[]): readonly SqlNumber[] | undefined {
  kept.veto();
  kept.setPinnedAside();
  kept.measure();
  try {
    const scores = children.map((child) => translateChild(target, child, kept.variables));
    kept.steps.add({ uncertain: scores.flatMap(({ uncertain }) => uncertain) });
    return scores.every(({ error }) => error === undefined) ? scores : undefined;
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

/** The rows of `assize_kept` with the extremes of their groups, and whether a row of the group is uncertain. */
function withExtremes(
  { dialect }: GroupedRelation,
  count: number,
  columns: readonly string[],
): { readonly sql: string; readonly queries: readonly string[] } {
  const of = (k: number): string => `CASE WHEN verdict = 0 THEN given${k} END`;
  const aggregates = [
    [`max(CASE WHEN verdict = ${UNCERTAIN} THEN 1 ELSE 0 END)`, 'unsure'],
    ...Array.from({ length: count }, (_, k) => [
      [`min(${of(k)})`, `low${k}`],
      [`max(${of(k)})`, `high${k}`],
    ]).flat(),
  ];
  const given = Array.from({ length: count }, (_, k) => `given${k}`);
  const own = ['k', 'assize_kept.g AS g', 'verdict AS kept', ...given, ...columns];
  // Without a hash join on NULL, a window is faster.
  if (!dialect.joinsNull) {
    const over = aggregates.map(([sql, name]) => `${sql} OVER (PARTITION BY g) AS ${name}`);
    return { sql: `SELECT ${[...own, ...over].join(', ')} FROM assize_kept`, queries: [] };
  }
  const scales = `SELECT g, ${aggregates.map(([sql, name]) => `${sql} AS ${name}`).join(', ')} FROM assize_kept GROUP BY g`;
  const names = aggregates.map(([, name]) => name);
  return {
    sql: `SELECT ${[...own, ...names].join(', ')} FROM assize_kept JOIN assize_scales ON assize_scales.g IS NOT DISTINCT FROM assize_kept.g`,
    queries: [named(dialect, 'assize_scales', scales)],
  };
}
