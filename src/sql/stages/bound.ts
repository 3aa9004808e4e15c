import type { ActiveScorer, Scoring, ScorePlan } from '../../engine/tier-plans.js';
import { arithmeticOf } from '../../engine/index.js';
import { scoreBounds } from '../../engine/stages/score/second-phase.js';
import type { Adjustment } from '../../profile/index.js';
import { combineScores } from './combine.js';
import { absentNumber } from '../values/literals.js';
import type { SqlScore } from './scores.js';
import type { Target } from '../expressions/uses.js';
import { Untranslatable } from '../untranslatable.js';
import type { SqlNumber } from '../values/values.js';

/** The most totals of which a bound is the greatest. */
const MAX_TOTALS = 16;

/**
 * The most that a row can score, whatever the scorers give that SQL does not know: the row's own arithmetic with each of
 * them at an end of its range, or left out, as pruning in process has it.
 *
 * @param scores by position in the run; undefined is not known
 * @throws Untranslatable where nothing bounds a score, or too much may differ
 */
export function combineBound(
  target: Target,
  plan: ScorePlan,
  scoring: Scoring,
  scores: readonly (SqlScore | undefined)[],
): SqlNumber {
  const choices = scores.map((score, k) => (score ? [score] : ends(target, plan, scoring, k)));
  const rows = choices.reduce<readonly (readonly SqlScore[])[]>(
    (sofar, some) => sofar.flatMap((row) => some.map((one) => [...row, one])),
    [[]],
  );
  if (rows.length > MAX_TOTALS) throw new Untranslatable('too many scores would have to be bounded');
  const { numbers } = target;
  const totals = rows.map((row) => combineScores(target, plan, scoring, row));
  return totals.reduce((most, total) => {
    const [x, y] = [most, total].map((one) => ({ ...one, sql: numbers.layers.let(one.sql) }));
    return { ...numbers.orElse(numbers.orElse(numbers.extremum('max', x!, y!), x!), y!), odd: [...x!.odd, ...y!.odd] };
  });
}

/** What a scorer that SQL does not know may give a row. */
function ends(
  { numbers }: Target,
  plan: ScorePlan,
  { active, weights, caseWeights }: Scoring,
  k: number,
): readonly SqlScore[] {
  const { entry, refuser } = active[k] as ActiveScorer;
  const arithmetic = arithmeticOf(plan.combine);
  const { lower, upper, maySkip } = scoreBounds(entry);
  if (!arithmetic || !Number.isFinite(lower) || !Number.isFinite(upper))
    throw new Untranslatable('nothing bounds its score');
  const vectors = [weights, ...(caseWeights?.values() ?? [])];
  const sides = new Set(vectors.map((vector) => arithmetic.highEnd(vector[k]!)));
  const at = (value: number): SqlScore => {
    return { id: entry.id, refuser, value: numbers.constant(value), maySkip, refuses: undefined };
  };
  const found = sides.size > 1 || sides.has('both') ? [lower, upper] : [sides.has('lower') ? lower : upper];
  const skipped: SqlScore = { ...at(0), value: absentNumber(numbers.dialect) };
  return maySkip ? [...found.map(at), skipped] : found.map(at);
}

/** Whether a rule never turns the order of two scores around. */
export const keepsOrder = ({ multiply }: Adjustment): boolean => {
  if (multiply === undefined || typeof multiply === 'number') return multiply === undefined || multiply >= 0;
  return 'table' in multiply && multiply.missing >= 0 && isNonNegative(multiply.table);
};

const isNonNegative = (table: ReadonlyMap<string, unknown>): boolean =>
  [...table.values()].every((row) =>
    row instanceof Map ? isNonNegative(row as ReadonlyMap<string, unknown>) : typeof row !== 'number' || row >= 0,
  );
