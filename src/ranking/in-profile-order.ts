import type { Degraded } from '../engine/index.js';
import type { Profile } from '../profile/index.js';

/**
 * Failures in the order in which the profile has their entries: that in which they came depends on how many candidates were
 * evaluated together.
 */
export function inProfileOrder(profile: Profile, failures: readonly Degraded[]): readonly Degraded[] {
  if (failures.length < 2) return failures;
  const { signals, vetoes, measures, scorers, adjustments } = profile;
  const ids = [signals, vetoes, measures, scorers, adjustments].flatMap((entries) => entries.map(({ id }) => id));
  const positions = new Map(ids.map((id, k) => [id, k]));
  const positionOf = ({ entry }: Degraded): number => positions.get(entry) ?? ids.length;
  return failures.toSorted(
    (a, b) => positionOf(a) - positionOf(b) || compareTexts(a.entry, b.entry) || compareTexts(a.stage, b.stage),
  );
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
