import {
  arithmeticOf,
  withSlack,
  type ActiveScorer,
  type ScorePlan,
  type Scoring,
  scoreBounds,
} from '../../engine/index.js';
import { combineFacts, type CombineMethodName, type Adjustment } from '../../profile/index.js';
import { Untranslatable } from './dialect.js';
import { type RowVariable, type Target, translateUse, translator } from './expression.js';
import {
  absentNumber,
  exactNumber,
  NEVER_UNCERTAIN,
  numberLiteral,
  uncertainOf,
  orTrue,
  type SqlNumber,
} from './values.js';

/** Combines the scores of a row; NULL if it is refused as unscored. */
export function combineScores(
  target: Target,
  plan: ScorePlan,
  scoring: Scoring,
  scores: readonly SqlScore[],
): SqlNumber {
  const total = combinePresent(target, plan, scoring, scores);
  return plan.onUnscored === undefined ? total : target.numbers.orElse(total, target.numbers.constant(plan.onUnscored));
}

function combinePresent(target: Target, plan: ScorePlan, scoring: Scoring, scores: readonly SqlScore[]): SqlNumber {
  const { combine } = plan;
  const { numbers } = target;
  if (scores.length === 0) {
    if (plan.scorers.length > 0) throw new Untranslatable('no scorer is in this run');
    return numbers.constant(0);
  }
  if (typeof combine !== 'string') {
    const byId = new Map(scores.map(({ id, value }) => [id, value]));
    const { tree } = combine.formula;
    return translator(target, (name, field) => (field === undefined ? byId.get(name) : undefined)).number(tree);
  }
  if (combine === 'weighted_mean' || combine === 'weighted_sum') return weightedSum(target, plan, scoring, scores);
  if (combine === 'geometric_mean' || combine === 'harmonic_mean')
    throw new Untranslatable(`a ${combineFacts(combine).label} has no translation`);
  return fold(target, combine, scores);
}

/** The SQL of a weight. `numbers` has the default weight, then one weight for each case. */
type WeightOf = (numbers: readonly number[]) => string;

/**
 * Σ weight × score, in order. If some scores are missing, scaled by Σ
 * w
 * / Σ
 * w present
 * , as in the engine.
 */
function weightedSum(target: Target, plan: ScorePlan, scoring: Scoring, scores: readonly SqlScore[]): SqlNumber {
  const { numbers } = target;
  const { layers, dialect } = numbers;
  const zero = numberLiteral(dialect, 0);
  const vectors = [scoring.weights, ...(scoring.caseWeights?.values() ?? [])];
  if (vectors.some((vector) => vector.some((weight) => Number.isNaN(weight))))
    throw new Untranslatable('all weights are 0');
  const [weightOf, uncertain] = weightByCase(target, plan, scoring);
  const magnitude = (k: number): readonly number[] => vectors.map((vector) => Math.abs(vector[k]!));
  let total: SqlNumber | undefined;
  for (const [k, { value }] of scores.entries()) {
    const weight = exactNumber(weightOf(vectors.map((vector) => vector[k]!)), Math.max(...magnitude(k)));
    const product = numbers.multiply(weight, value);
    const term: SqlNumber = {
      ...product,
      sql: `coalesce(${product.sql}, ${zero})`,
      error: product.error && `coalesce(${product.error}, ${zero})`,
    };
    total = total ? numbers.add(total, term) : term;
  }
  if (!total) throw new Untranslatable('there is nothing to combine');
  const sum: SqlNumber = { ...total, uncertain: [...total.uncertain, ...uncertain] };
  if (!scores.some(({ maySkip }) => maySkip)) return sum;
  const all = weightOf(vectors.map((vector) => vector.reduce((whole, weight) => whole + Math.abs(weight), 0)));
  const parts = scores.map(
    ({ value }, k) => `CASE WHEN ${value.sql} IS NULL THEN ${zero} ELSE ${weightOf(magnitude(k))} END`,
  );
  const here = layers.let(parts.join(' + '));
  const named = { ...sum, sql: layers.let(sum.sql), error: sum.error && layers.let(sum.error) };
  const present = exactNumber(`CASE WHEN ${here} > ${zero} AND ${here} < ${all} THEN ${all} / ${here} END`, 1e60);
  const scaled = numbers.multiply(named, present);
  const choose = (some: string, whole: string): string =>
    `CASE WHEN ${here} < ${all} THEN ${some} WHEN ${here} > ${zero} THEN ${whole} END`;
  return {
    kind: 'number',
    sql: choose(scaled.sql, named.sql),
    error: named.error && layers.let(choose(scaled.error ?? zero, named.error)),
    most: scaled.most,
    uncertain: [...scaled.uncertain],
  };
}

/**
 * The SQL of weights, by the row's case if the profile has cases; and the conditions under which the case is uncertain.
 */
function weightByCase(
  target: Target,
  { cases }: ScorePlan,
  { caseWeights }: Scoring,
): readonly [WeightOf, readonly string[]] {
  const { dialect, layers } = target.numbers;
  const literal = (weight: number | undefined): string => numberLiteral(dialect, weight ?? Number.NaN);
  if (!cases || !caseWeights) return [([weight]) => literal(weight), NEVER_UNCERTAIN];
  if (caseWeights.has('undefined')) throw new Untranslatable('a case has the name undefined');
  const { sql, uncertain } = translator(target, () => undefined).text(cases.by.tree);
  const key = layers.let(sql);
  const names = [...caseWeights.keys()].map((name) => dialect.text(name));
  const weightOf: WeightOf = ([own, ...others]) => {
    const branches = others.map((weight, n) => `WHEN ${key} = ${names[n]} THEN ${literal(weight)}`);
    return branches.length === 0 ? literal(own) : `CASE ${branches.join(' ')} ELSE ${literal(own)} END`;
  };
  return [weightOf, uncertain];
}

/** Product, minimum or maximum of the scores that are present. */
function fold(
  { numbers }: Target,
  method: Exclude<CombineMethodName, 'weighted_mean' | 'weighted_sum' | 'geometric_mean' | 'harmonic_mean'>,
  scores: readonly SqlScore[],
): SqlNumber {
  const { layers } = numbers;
  const values = scores.map(({ value }) => ({
    ...value,
    sql: layers.let(value.sql),
    error: value.error && layers.let(value.error),
  }));
  return values.reduce((total, value) => {
    const both = method === 'product' ? numbers.multiply(total, value) : numbers.extremum(method, total, value);
    return {
      ...numbers.orElse(numbers.orElse(both, total), value),
      uncertain: [...both.uncertain, ...uncertainOf(total, value)],
    };
  });
}

/** The maximum number of totals that a bound compares. */
const MAX_TOTALS = 16;

/**
 * The upper bound of a row's score if SQL does not know all scorers. Combines the scores with each unknown score at an
 * end of its range, or missing, as pruning in process does.
 *
 * @param scores by position in the run; undefined if SQL does not know the score
 * @throws Untranslatable if a score has no bounds, or if more than `MAX_TOTALS` combinations are possible
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
    return {
      ...numbers.orElse(numbers.orElse(numbers.extremum('max', x!, y!), x!), y!),
      uncertain: [...x!.uncertain, ...y!.uncertain],
    };
  });
}

/** The extreme results of a scorer that SQL does not know. */
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

/** Whether a rule never reverses the order of two scores. */
export const keepsOrder = ({ multiply }: Adjustment): boolean => {
  if (multiply === undefined || typeof multiply === 'number') return multiply === undefined || multiply >= 0;
  return 'table' in multiply && multiply.missing >= 0 && isNonNegative(multiply.table);
};

const isNonNegative = (table: ReadonlyMap<string, unknown>): boolean =>
  [...table.values()].every((row) =>
    row instanceof Map ? isNonNegative(row as ReadonlyMap<string, unknown>) : typeof row !== 'number' || row >= 0,
  );

/** A row's score from one scorer, after `on_absent`. */
export interface SqlScore {
  readonly id: string;
  readonly refuser: number;
  /** NULL if the scorer skips the row. */
  readonly value: SqlNumber;
  /** Whether the scorer may skip rows. */
  readonly maySkip: boolean;
  /** The condition under which the scorer refuses the row as absent; undefined if it never does. */
  readonly refuses: string | undefined;
}

/** Translates a scorer. A row whose score is outside the declared range is uncertain. */
export function translateScorer(target: Target, { entry, refuser }: ActiveScorer, variables: RowVariable): SqlScore {
  const score = translateUse(target, entry.use, 'number', variables);
  if (score.kind !== 'number') throw new Untranslatable('it does not return a number');
  const { numbers } = target;
  const sql = numbers.layers.let(score.sql);
  const raw: SqlNumber = {
    ...score,
    sql,
    uncertain: [...score.uncertain, ...outOfRange(target, { ...score, sql }, entry.range)],
  };
  const { id, onAbsent } = entry;
  if (onAbsent === 'refuse') return { id, refuser, value: raw, maySkip: false, refuses: `(${sql} IS NULL)` };
  if (onAbsent === 'skip') return { id, refuser, value: raw, maySkip: true, refuses: undefined };
  const value = numbers.orElse(raw, numbers.constant(onAbsent));
  return { id, refuser, value: { ...value, sql: numbers.layers.let(value.sql) }, maySkip: false, refuses: undefined };
}

function outOfRange(
  { numbers }: Target,
  { sql, error }: SqlNumber,
  range: ActiveScorer['entry']['range'],
): readonly string[] {
  if (!range) return [];
  const [least, most] = withSlack(range);
  const inside = [
    Number.isFinite(least) && `${error ? `(${sql} - ${error})` : sql} >= ${numberLiteral(numbers.dialect, least)}`,
    Number.isFinite(most) && `${error ? `(${sql} + ${error})` : sql} <= ${numberLiteral(numbers.dialect, most)}`,
  ].filter((test) => test !== false);
  return inside.length === 0 ? [] : [`(NOT ${orTrue(`(${inside.join(' AND ')})`)})`];
}
