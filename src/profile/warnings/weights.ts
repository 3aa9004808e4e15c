import { type Expression, isExpression } from '../../expression/index.js';
import { combineFacts, isAdditive } from '../combine-methods.js';
import type { ScorerEntry } from '../entries.js';
import type { Profile } from '../profile.js';
import type { WarningContext } from './warning-context.js';

/** A sum of written decimals may miss 1 by rounding. */
const ROUNDING = 1e-6;

/** How many times wider one range may be than another before it outweighs it. */
const RANGE_IMBALANCE = 5;

/** Warns of weights without effect, shares that do not sum to 1, and ranges that outweigh others. */
export function warnAboutWeights(context: WarningContext): void {
  const { combine } = context.profile;
  const { weights } = combineFacts(combine);
  if (weights === 'none') return;
  warnZeroWeights(context);
  if (weights === 'literal') warnWeightSums(context);
  if (isAdditive(combine)) warnRangeImbalance(context); // in a geometric mean only ratios count
}

/** The names that the profile's expressions read; undefined where one may read any score. */
function scoreNamesRead(profile: Profile): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isExpression(value)) for (const name of value.reads) names.add(name);
    else for (const item of value instanceof Map ? value.values() : Object.values(value)) visit(item);
  };
  visit(profile);
  return names.has('scores') ? undefined : names;
}

/** Warns of a weight of 0, unless a case raises it or an expression reads the score. */
function warnZeroWeights(context: WarningContext): void {
  const { scorers, weights } = context.profile;
  const cases = [...(weights?.cases.values() ?? [])];
  const idle = ({ id, weight, onAbsent }: ScorerEntry): boolean =>
    weight === 0 && onAbsent !== 'refuse' && !cases.some((byId) => (byId.get(id) ?? 0) !== 0);
  if (!scorers.some(idle)) return;
  const read = scoreNamesRead(context.profile);
  for (const { entry, path } of context.entries('tier2_scorers', scorers)) {
    if (!idle(entry) || !read || read.has(`scores.${entry.id}`)) continue;
    const hint = 'enabled: false takes it out; a number that only rules read is a measure';
    context.warn('ASZ701', `${entry.id} weighs 0, so that it counts for nothing`, [...path, 'weight'], hint);
  }
}

/** Warns of weights from 0 to 1, meant as shares, that do not sum to 1; 3, 2, 1 are points and may sum to anything. */
function warnWeightSums(context: WarningContext): void {
  const { scorers, weights } = context.profile;
  if (scorers.length < 2) return;
  const check = (weightOf: (entry: ScorerEntry) => number | Expression): number | undefined => {
    let sum = 0;
    for (const entry of scorers) {
      const weight = weightOf(entry);
      if (typeof weight !== 'number' || weight < 0 || weight > 1) return undefined;
      sum += weight;
    }
    return Math.abs(sum - 1) > ROUNDING ? Number(sum.toFixed(6)) : undefined;
  };
  const hint =
    'weighted_sum takes weights as they are, and the scores then do not reach from 0 to 1; weighted_mean divides';
  const own = check(({ weight }) => weight);
  if (own !== undefined) context.warn('ASZ704', `the weights sum to ${own}, not to 1`, ['tier2_scorers'], hint, 'key');
  for (const [name, byId] of weights?.cases ?? []) {
    const sum = check(({ id, weight }) => byId.get(id) ?? weight);
    if (sum === undefined || byId.size === 0) continue;
    // A case that leaves the sum as it is does not cause the mistake.
    if (own !== undefined && Math.abs(sum - own) < ROUNDING) continue;
    const message = `in the case ${name} the weights sum to ${sum}, not to 1`;
    context.warn('ASZ704', message, ['weights', 'cases', name], hint, 'key');
  }
}

/** The greatest absolute value of a declared range. */
const maxMagnitude = ({ range }: ScorerEntry): number => (range ? Math.max(Math.abs(range[0]), Math.abs(range[1])) : 0);

/** Warns of a range that outweighs another, such as 0 to 100 beside 0 to 1, unless its weight is less. */
function warnRangeImbalance(context: WarningContext): void {
  const { scorers } = context.profile;
  const declared = scorers.filter(({ range, weight }) => range && typeof weight === 'number' && weight > 0);
  const [first, ...rest] = declared;
  if (!first) return;
  const least = rest.reduce((one, other) => (maxMagnitude(other) < maxMagnitude(one) ? other : one), first);
  for (const { entry, path } of context.entries('tier2_scorers', declared)) {
    const far = maxMagnitude(entry) >= RANGE_IMBALANCE * Math.max(1, maxMagnitude(least));
    if (!far || Number(entry.weight) < Number(least.weight)) continue;
    const withRange = ({ id, range = [0, 0] }: ScorerEntry): string => `${id} (${range[0]} to ${range[1]})`;
    const hint = 'bring it to the same range with an expression or ScaledScorer, or make up for it by its weight';
    const message = `${withRange(entry)} outweighs ${withRange(least)}, and weighs no less`;
    context.warn('ASZ705', message, [...path, 'id'], hint);
  }
}
