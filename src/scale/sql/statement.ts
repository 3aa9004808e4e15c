import { createHash } from 'node:crypto';
import { entriesNeedingAll, hasMemory, type Profile } from '../../profile/index.js';
import { retainedCount, type StreamRun } from '../../pipeline/index.js';
import { Arithmetic } from './arithmetic.js';
import type { Dialect } from './dialect.js';
import type { Extremes, Target } from './expression.js';
import { Fields } from './fields.js';
import { type Judgement, JudgementTranslator } from './judgement.js';
import { UNCERTAIN, type PartNote } from './kept-rows.js';
import { chosenCells, type Relation } from './relation.js';
import { resultRow } from './prefilter-rows.js';
import { Layers, numberLiteral } from './values.js';

/** The number of refused rows of each entry and kind that are returned as examples. */
const EXAMPLES = 3;

/** A profile as one statement. */
export interface Prefilter {
  /**
   * Returns rows of `part`, `pos`, `verdict`, `many` and `cells`. The parts are:
   *
   * - `count`: the number of rows with a verdict
   * - `below`: the number of scored rows below `min_score`
   * - `chosen`: the number of returned rows
   * - `row`: a row that may be selected, is uncertain, or is an example of a refusal
   * - `next`: the upper bound of the rows that are not returned
   * - `run`: the fingerprint of the statement
   */
  readonly sql: string;
  /** The time of the run, and a hash of the rest of the statement. */
  readonly fingerprint: string;
  /** The parts of the profile, with the reason if SQL does not evaluate them. */
  readonly parts: readonly PartNote[];
  /** Whether SQL knows every scorer. Otherwise the process finishes, by pruning if the profile allows it. */
  readonly isComplete: boolean;
  /** Whether SQL decides nothing at all. */
  readonly isIdle: boolean;
}

/** Options of a statement. */
interface PrefilterOptions {
  /** The number of most promising rows to return, if SQL computes upper bounds only. */
  readonly promising?: number | undefined;
  /** The extremes, if known. SQL then computes scores that scale over all candidates. */
  readonly extremes?: Extremes | undefined;
}

/** Why SQL decides nothing. */
export const idleReason = ({ parts }: Pick<Prefilter, 'parts'>): string => {
  const first = parts.find(({ why }) => why !== undefined);
  return first ? `${first.part} ${first.id}: ${first.why}` : 'the profile reads no field of a row';
};

/** The parts that the process evaluates because SQL cannot: one line each, with the reason. */
export const untranslatedNotices = ({ parts }: Pick<Prefilter, 'parts'>): readonly string[] =>
  parts.flatMap(({ part, id, why }) => (why === undefined ? [] : [`the process evaluates ${part} ${id}: ${why}`]));

/**
 * Translates a profile for one run. The run's time, context and signals become constants. If the rows that pass the
 * vetoes must be ranked as one set, SQL only refuses, and scores nothing.
 */
export function translateRun(
  run: StreamRun,
  dialect: Dialect,
  relation: Relation,
  { promising, extremes }: PrefilterOptions = {},
): Prefilter {
  const layers = new Layers();
  const numbers = new Arithmetic(dialect, layers);
  const target: Target = { numbers, fields: new Fields(dialect, relation, layers), run: run.start, extremes };
  const leave = extremes ? undefined : setReason(run.plan.profile);
  const judgement = new JudgementTranslator(run, target, leave).translate();
  const { verdict, score, notes, isIdle, isBound } = judgement;
  const zero = numberLiteral(dialect, 0);
  const judged = judgedRows(dialect, relation, target, verdict, [
    // −0 becomes 0, since they compare as equal.
    `${score ? `(${score.sql} + ${zero})` : zero} AS score`,
    `${score?.error === undefined ? zero : `(2 * coalesce(${score.error}, ${zero}))`} AS error`,
  ]);
  const body = statement(run, dialect, relation, judged, score, isBound ? promising : undefined);
  const fingerprint = `${run.start.now} ${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
  const sql = `${body}\nUNION ALL ${resultRow(dialect, 'run', ['0', '0', '0'], `'${fingerprint}'`)}`;
  return { sql, fingerprint, parts: notes, isComplete: score !== undefined && !isBound, isIdle };
}

function statement(
  { plan }: StreamRun,
  dialect: Dialect,
  relation: Relation,
  judged: string,
  score: Judgement['score'],
  promising: number | undefined,
): string {
  const { minScore, ties } = plan.select;
  const { materialized } = dialect;
  const enough =
    minScore === undefined ? 'verdict = 0' : `verdict = 0 AND score >= ${numberLiteral(dialect, minScore)}`;
  const count = score ? retainedCount(plan) : 0; // without scores, no row is best
  const isExact = score?.error === undefined && (ties === undefined || ties[0] === undefined);
  // The process prunes only if there are enough rows, so it needs to receive that many here too.
  const examples = promising === undefined ? EXAMPLES : Math.max(EXAMPLES, count + 1);
  // The prefix `assize_` avoids conflicts with table names.
  return [
    `WITH assize_judged AS${materialized} (`,
    judged,
    '),',
    ...(promising !== undefined
      ? mostPromising(promising)
      : isExact || count === 0
        ? bestRows(enough, count)
        : nearBest(enough, count)),
    `assize_chosen AS (SELECT ${dialect.once?.('k') ?? 'k'} AS k, verdict FROM (`,
    `  SELECT k, verdict FROM assize_judged WHERE verdict = ${UNCERTAIN}`,
    '  UNION ALL SELECT k, verdict FROM assize_best',
    '  UNION ALL SELECT k, verdict FROM (',
    '    SELECT k, verdict, row_number() OVER (PARTITION BY verdict ORDER BY k) AS nth FROM assize_judged WHERE verdict > 0',
    `  ) AS refused WHERE nth <= ${examples}`,
    ') AS every)',
    `${resultRow(dialect, 'count', ['0', 'verdict', 'count(*)'], 'NULL')} FROM assize_judged GROUP BY verdict`,
    `UNION ALL ${resultRow(dialect, 'below', ['0', '0', 'count(*)'], 'NULL')} FROM assize_judged WHERE verdict = 0 AND NOT (${enough})`,
    `UNION ALL ${resultRow(dialect, 'chosen', ['0', '0', 'count(*)'], 'NULL')} FROM assize_chosen`,
    rowsOfChosen(dialect, relation),
    ...(promising === undefined
      ? []
      : [`UNION ALL ${resultRow(dialect, 'next', ['0', '0', '0'], 'bound')} FROM assize_next`]),
  ].join('\n');
}

/** A query of `k`, the verdict of each row, and other columns. */
export function judgedRows(
  dialect: Dialect,
  relation: Relation,
  { fields, numbers: { layers } }: Target,
  verdict: string,
  columns: readonly string[],
): string {
  const once = dialect.once?.(verdict) ?? verdict;
  const judged = `${relation.marksUncertain ? `CASE WHEN uncertain_row THEN ${UNCERTAIN} ELSE ${once} END` : once} AS verdict`;
  const rows = layers.around(relation.read(fields.columns), dialect.fence, [judged, ...columns]);
  return `SELECT k,\n  ${[judged, ...columns].join(',\n  ')}\nFROM (\n${rows}\n) AS d`;
}

/** The chosen rows, with their positions and cells. */
export function rowsOfChosen(dialect: Dialect, relation: Relation): string {
  const { positions } = relation;
  const { rows, cells } = chosenCells(relation);
  const position = positions ? 'placed.pos' : 'assize_chosen.k';
  const chosen = dialect.fewRows?.('assize_chosen', 'k, verdict') ?? 'assize_chosen';
  return [
    `UNION ALL ${resultRow(dialect, 'row', [position, 'assize_chosen.verdict', '1'], cells)} FROM ${chosen}`,
    `  JOIN (${rows}) AS given ON given.k = assize_chosen.k`,
    ...(positions ? [`  JOIN (${positions}) AS placed ON placed.k = assize_chosen.k`] : []),
  ].join('\n');
}

/** The best rows by exact scores. At equal scores, the first position wins. */
const bestRows = (enough: string, count: number): readonly string[] => [
  'assize_best AS (',
  `  SELECT k, verdict FROM assize_judged WHERE ${enough} ORDER BY score DESC, k LIMIT ${count}`,
  '),',
];

/**
 * All rows that may be among the best: the upper bound of a row must reach the lower bound of the last best row. The
 * process breaks ties that are not by position, so all rows with equal scores are included.
 */
const nearBest = (enough: string, count: number): readonly string[] => [
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

/** The rows with the greatest upper bounds, and the upper bound of the next row. */
const mostPromising = (count: number): readonly string[] => [
  'assize_best AS (',
  `  SELECT k, verdict FROM assize_judged WHERE verdict = 0 ORDER BY score + error DESC, k LIMIT ${count}`,
  '),',
  'assize_next AS (',
  `  SELECT score + error AS bound FROM assize_judged WHERE verdict = 0 ORDER BY score + error DESC, k LIMIT 1 OFFSET ${count}`,
  '),',
];

/** Why the process needs every row, even refused ones; undefined if it does not. */
export function obstacleOf({ fallback, reports, select }: Profile): string | undefined {
  if (select.seed !== undefined) return 'a seed gives a random number to each position of the whole input';
  if (fallback.length > 0) return 'a fallback may select any candidate';
  if (select.pack?.keepTogether || select.pack?.requires) return 'a refused candidate keeps others from being packed';
  return reports.length > 0 ? 'a report needs the whole ranking' : undefined;
}

/** Why the process needs every row that passes the vetoes, to rank them as one set; undefined if it does not. */
export function setReason(profile: Profile): string | undefined {
  const [entry] = entriesNeedingAll(profile);
  if (entry)
    return `${entry.id} ${hasMemory(entry.use) ? 'has a memory of earlier candidates' : 'needs all candidates at once'}`;
  return selectionReason(profile);
}

/** The reason of `setReason` that lies in the rules or the selection, if any. */
export function selectionReason({ adjustments, select }: Profile): string | undefined {
  const { duplicates, per, diversify, top } = select;
  const rule = adjustments.find(({ group }) => group);
  if (rule) return `the rule ${rule.id} compares the candidates of a group`;
  if (duplicates || per || diversify) return 'the selection of a candidate depends on the others';
  return top === undefined ? 'every scored candidate is selected' : undefined;
}
