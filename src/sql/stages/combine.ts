import type { Scoring, ScorePlan } from '../../engine/tier-plans.js';
import type { CombineMethodName } from '../../profile/index.js';
import { exactNumber, numberLiteral } from '../values/literals.js';
import type { SqlScore } from './scores.js';
import { type Target, translator } from '../expressions/uses.js';
import { Untranslatable } from '../untranslatable.js';
import { NOT_ODD, oddOf, type SqlNumber } from '../values/values.js';

/** The scores of a row as one number; NULL where there is nothing to combine. */
export function combineScores(
  target: Target,
  plan: ScorePlan,
  scoring: Scoring,
  scores: readonly SqlScore[],
): SqlNumber {
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
  if (combine === 'geometric_mean') throw new Untranslatable('a geometric mean has no translation');
  return fold(target, combine, scores);
}

/** A weight on each row: one number, or one for each case. */
type WeightOf = (numbers: readonly number[]) => string;

/** Σ weight × score in order, scaled by Σ|w| / Σ|w present| where some are missing: the engine's own steps. */
function weightedSum(target: Target, plan: ScorePlan, scoring: Scoring, scores: readonly SqlScore[]): SqlNumber {
  const { numbers } = target;
  const { layers, dialect } = numbers;
  const zero = numberLiteral(dialect, 0);
  const vectors = [scoring.weights, ...(scoring.caseWeights?.values() ?? [])];
  if (vectors.some((vector) => vector.some((weight) => Number.isNaN(weight))))
    throw new Untranslatable('all weights are 0');
  const [weightOf, odd] = weightByCase(target, plan, scoring);
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
  const sum: SqlNumber = { ...total, odd: [...total.odd, ...odd] };
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
    odd: [...scaled.odd],
  };
}

/** How a weight is written, and when it is odd: by the case of the row, where the profile has cases. */
function weightByCase(
  target: Target,
  { cases }: ScorePlan,
  { caseWeights }: Scoring,
): readonly [WeightOf, readonly string[]] {
  const { dialect, layers } = target.numbers;
  const literal = (weight: number | undefined): string => numberLiteral(dialect, weight ?? Number.NaN);
  if (!cases || !caseWeights) return [([weight]) => literal(weight), NOT_ODD];
  if (caseWeights.has('undefined')) throw new Untranslatable('a case has the name of what is absent');
  const { sql, odd } = translator(target, () => undefined).text(cases.by.tree);
  const key = layers.let(sql);
  const names = [...caseWeights.keys()].map((name) => dialect.text(name));
  const weightOf: WeightOf = ([own, ...others]) => {
    const branches = others.map((weight, n) => `WHEN ${key} = ${names[n]} THEN ${literal(weight)}`);
    return branches.length === 0 ? literal(own) : `CASE ${branches.join(' ')} ELSE ${literal(own)} END`;
  };
  return [weightOf, odd];
}

/** Product, least or greatest of the scores that are there. */
function fold(
  { numbers }: Target,
  method: Exclude<CombineMethodName, 'weighted_mean' | 'weighted_sum' | 'geometric_mean'>,
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
    return { ...numbers.orElse(numbers.orElse(both, total), value), odd: [...both.odd, ...oddOf(total, value)] };
  });
}
