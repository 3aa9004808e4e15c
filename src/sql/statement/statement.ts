import { createHash } from 'node:crypto';
import { retainedCount } from '../../stream/memory-bound.js';
import type { StreamRun } from '../../stream/stream-run.js';
import { Arithmetic } from '../values/arithmetic.js';
import type { Dialect } from '../dialects/dialect.js';
import { Fields } from '../values/fields.js';
import { type Judgement, JudgementTranslator } from '../stages/judgement.js';
import type { PartNote } from '../stages/kept-rows.js';
import { Layers } from '../values/layers.js';
import { numberLiteral } from '../values/literals.js';
import { bestRows, judgedRows, mostPromising, nearBest, rowsOfChosen } from './queries.js';
import type { Relation } from '../rows/relation.js';
import { setReason } from './set-reason.js';
import { resultRow } from './sieve-rows.js';
import type { Extremes, Target } from '../expressions/uses.js';
import { ODD } from '../stages/verdict-steps.js';

/** How many refused rows of each entry and kind are given, as examples. */
const EXAMPLES = 3;

/** A profile as one statement. */
export interface Sieve {
  /**
   * Gives rows of `part`, `pos`, `verdict`, `many` and `cells`. `count`: how many rows have a verdict, and `below` how
   * many of the scored are below `min_score`. `chosen`: how many rows are given. `row`: a row that the process judges,
   * because it may be selected, is odd, or is an example of what an entry refuses. `next`: the upper bound of what is
   * left. `run`: which statement the result is of.
   */
  readonly sql: string;
  /** What the row `run` says: the time of the run, and a hash of everything else in the statement. */
  readonly fingerprint: string;
  /** What each part of the profile became. */
  readonly parts: readonly PartNote[];
  /** Whether SQL knows every scorer: else the process finishes, by pruning where the profile does. */
  readonly isComplete: boolean;
  /** Whether SQL decides nothing at all. */
  readonly isIdle: boolean;
}

/** What a statement may be made with, besides the run. */
interface SieveOptions {
  /** Where SQL has upper bounds only: how many of the most promising rows are wanted. */
  readonly promising?: number | undefined;
  /** Where they are known: then what is scaled over all candidates is scored. */
  readonly extremes?: Extremes | undefined;
}

/** Why SQL decides nothing. */
export const idleReason = ({ parts }: Sieve): string => {
  const first = parts.find(({ why }) => why !== undefined);
  return first ? `${first.part} ${first.id}: ${first.why}` : 'the profile asks nothing of a row';
};

/** What the process evaluates because SQL cannot: a line for each part of the profile, with the reason. */
export const untranslatedNotices = ({ parts }: Sieve): readonly string[] =>
  parts.flatMap(({ part, id, why }) => (why === undefined ? [] : [`the process evaluates ${part} ${id}: ${why}`]));

/**
 * Translates a profile for one run, whose time, context and signals become constants. Where what the vetoes leave must
 * be ranked as one set, SQL refuses, and scores nothing.
 */
export function translateRun(
  run: StreamRun,
  dialect: Dialect,
  relation: Relation,
  { promising, extremes }: SieveOptions = {},
): Sieve {
  const layers = new Layers();
  const numbers = new Arithmetic(dialect, layers);
  const target: Target = { numbers, fields: new Fields(dialect, relation, layers), run: run.start, extremes };
  const leave = extremes ? undefined : setReason(run.plan.profile);
  const judgement = new JudgementTranslator(run, target, leave).translate();
  const { verdict, score, notes, isIdle, isBound } = judgement;
  const zero = numberLiteral(dialect, 0);
  const judged = judgedRows(dialect, relation, target, verdict, [
    // −0 becomes 0, as which it is ordered.
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
  const count = score ? retainedCount(plan) : 0; // what SQL scores none of, it judges nothing of
  const isExact = score?.error === undefined && (ties === undefined || ties[0] === undefined);
  // Nothing is pruned among few rows: where there are enough of them, there must be here.
  const examples = promising === undefined ? EXAMPLES : Math.max(EXAMPLES, count + 1);
  // The queries have names that no table has: they would be read in its place.
  return [
    `WITH assize_judged AS${materialized} (`,
    judged,
    '),',
    ...(promising !== undefined
      ? mostPromising(promising)
      : isExact || count === 0
        ? bestRows(enough, count)
        : nearBest(enough, count)),
    'assize_chosen AS (',
    `  SELECT k, verdict FROM assize_judged WHERE verdict = ${ODD}`,
    '  UNION ALL SELECT k, verdict FROM assize_best',
    '  UNION ALL SELECT k, verdict FROM (',
    '    SELECT k, verdict, row_number() OVER (PARTITION BY verdict ORDER BY k) AS nth FROM assize_judged WHERE verdict > 0',
    `  ) AS refused WHERE nth <= ${examples}`,
    ')',
    `${resultRow(dialect, 'count', ['0', 'verdict', 'count(*)'], 'NULL')} FROM assize_judged GROUP BY verdict`,
    `UNION ALL ${resultRow(dialect, 'below', ['0', '0', 'count(*)'], 'NULL')} FROM assize_judged WHERE verdict = 0 AND NOT (${enough})`,
    `UNION ALL ${resultRow(dialect, 'chosen', ['0', '0', 'count(*)'], 'NULL')} FROM assize_chosen`,
    rowsOfChosen(dialect, relation),
    ...(promising === undefined
      ? []
      : [`UNION ALL ${resultRow(dialect, 'next', ['0', '0', '0'], 'bound')} FROM assize_next`]),
  ].join('\n');
}
