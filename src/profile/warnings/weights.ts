import type { Expression } from '../../expression/expression.js';
import type { Profile, ScorerEntry } from '../profile.js';
import { readsWeights } from '../resolve/resolve-weights.js';
import type { WarningContext } from './warning-context.js';

/** A sum of written decimals may miss 1 by rounding. */
const ROUNDING = 1e-6;

/** How much farther than another's a range may reach before the one drowns the other. */
const RANGE_IMBALANCE = 5;

export function warnAboutWeights(look: WarningContext): void {
  if (!readsWeights(look.profile.combine)) return;
  warnZeroWeights(look);
  if (look.profile.combine === 'weighted_sum') warnWeightSums(look);
  if (look.profile.combine !== 'geometric_mean') warnRangeImbalance(look);
}

const isExpression = (value: object): value is Expression => 'source' in value && 'reads' in value;

/** Every scorer whose number an expression somewhere in the profile reads; undefined where one may read any. */
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

/** A weight of 0 is for a case to raise, or for a scorer that only rules read. */
function warnZeroWeights(look: WarningContext): void {
  const { scorers, weights } = look.profile;
  const cases = [...(weights?.cases.values() ?? [])];
  const idle = ({ id, weight, onAbsent }: ScorerEntry): boolean =>
    weight === 0 && onAbsent !== 'refuse' && !cases.some((byId) => (byId.get(id) ?? 0) !== 0);
  if (!scorers.some(idle)) return;
  const read = scoreNamesRead(look.profile);
  for (const { entry, path } of look.entries('tier2_scorers', scorers)) {
    if (!idle(entry) || !read || read.has(`scores.${entry.id}`)) continue;
    const hint = 'enabled: false takes it out; a number that only rules read is a measure';
    look.warn('ASZ701', `${entry.id} weighs 0, so that it counts for nothing`, [...path, 'weight'], hint);
  }
}

/** Weights from 0 to 1 are meant as shares; 3, 2, 1 are points, and may sum to anything. */
function warnWeightSums(look: WarningContext): void {
  const { scorers, weights } = look.profile;
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
  if (own !== undefined) look.warn('ASZ704', `the weights sum to ${own}, not to 1`, ['tier2_scorers'], hint, 'key');
  for (const [name, byId] of weights?.cases ?? []) {
    const sum = check(({ id, weight }) => byId.get(id) ?? weight);
    if (sum === undefined || byId.size === 0) continue;
    // Where the case leaves everything as it is, or no further off, the mistake is not the case's.
    if (own !== undefined && Math.abs(sum - own) < ROUNDING) continue;
    look.warn(
      'ASZ704',
      `in the case ${name} the weights sum to ${sum}, not to 1`,
      ['weights', 'cases', name],
      hint,
      'key',
    );
  }
}

/** The farthest from 0 that a scorer declares to give. */
const maxMagnitude = ({ range }: ScorerEntry): number => (range ? Math.max(Math.abs(range[0]), Math.abs(range[1])) : 0);

/** A score of 0 to 100 drowns one of 0 to 1, unless its weight makes up for it. */
function warnRangeImbalance(look: WarningContext): void {
  const { scorers } = look.profile;
  const declared = scorers.filter(({ range, weight }) => range && typeof weight === 'number' && weight > 0);
  const [first, ...rest] = declared;
  if (!first) return;
  const least = rest.reduce((one, other) => (maxMagnitude(other) < maxMagnitude(one) ? other : one), first);
  for (const { entry, path } of look.entries('tier2_scorers', declared)) {
    const far = maxMagnitude(entry) >= RANGE_IMBALANCE * Math.max(1, maxMagnitude(least));
    if (!far || Number(entry.weight) < Number(least.weight)) continue;
    const said = ({ id, range = [0, 0] }: ScorerEntry): string => `${id} (${range[0]} to ${range[1]})`;
    const hint = 'bring it to the same range with an expression or ScaledScorer, or make up for it by its weight';
    look.warn('ASZ705', `${said(entry)} drowns ${said(least)}, and weighs no less`, [...path, 'id'], hint);
  }
}
