import type { Problem } from '../../diagnostics/index.js';
import { isAdditive, type Profile, type ScorerEntry } from '../../profile/index.js';
import type { ColumnStats } from './column-stats.js';
import { warningAbout } from './warning.js';

/** How many times larger and wider the values of one scorer may be than those of another before they outweigh it. */
const IMBALANCE = 5;

/** A scorer of a sum, its values for the ranked candidates, and how far its weighted values spread. */
interface Weighed {
  readonly entry: ScorerEntry;
  readonly least: number;
  readonly most: number;
  readonly magnitude: number;
  readonly spread: number;
}

/**
 * A warning for each scorer of a sum whose values are so much larger than another's, such as 46 to 230 beside 0 to 1,
 * that it alone decides. Ranges that both classes declare are compared when the profile is loaded.
 */
export function rangeImbalanceWarnings(
  profile: Profile,
  columns: readonly ColumnStats[],
  weights: Float64Array,
): Problem[] {
  if (!isAdditive(profile.combine)) return [];
  const weighed = columns.flatMap(({ id, least, most }, k): Weighed[] => {
    const entry = profile.scorers.find((scorer) => scorer.id === id);
    const spread = Math.abs(weights[k] ?? 0) * (most - least);
    if (!entry || !(spread > 0)) return [];
    return [{ entry, least, most, magnitude: Math.max(Math.abs(least), Math.abs(most)), spread }];
  });
  const [first, ...rest] = weighed;
  if (!first) return [];
  const smallest = rest.reduce((one, other) => (other.magnitude < one.magnitude ? other : one), first);
  return weighed.filter((one) => outweighs(one, smallest)).map((one) => imbalanceWarning(one, smallest));
}

function outweighs(one: Weighed, other: Weighed): boolean {
  if (one.entry.range && other.entry.range) return false;
  return one.magnitude >= IMBALANCE * Math.max(1, other.magnitude) && one.spread >= IMBALANCE * other.spread;
}

function imbalanceWarning(one: Weighed, other: Weighed): Problem {
  const message = `${withValues(one)} outweighs ${withValues(other)}, and its weight does not make up for it`;
  const hint = 'bring it to the same range with an expression or ScaledScorer, or give it a smaller weight';
  return warningAbout(one.entry, 'ASZ705', message, hint);
}

const withValues = ({ entry, least, most }: Weighed): string =>
  `${entry.id} (${rounded(least)} to ${rounded(most)} here)`;

const rounded = (value: number): number => Number(value.toPrecision(3));
