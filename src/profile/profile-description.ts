import { hasMemory } from './profile-queries.js';
import type { Entry, Profile } from './profile.js';

/** The ids of a profile's entries, by kind, in the order of a run. */
export interface ProfileDescription {
  readonly signals: readonly string[];
  readonly strategies: readonly string[];
  readonly vetoes: readonly string[];
  readonly measures: readonly string[];
  readonly scorers: readonly string[];
  readonly rules: readonly string[];
  readonly reports: readonly string[];
}

const idsOf = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map(({ id }) => id);

/** The ids of a profile's entries. */
export function describeProfile(profile: Profile): ProfileDescription {
  const { signals, strategies, vetoes, measures, scorers, adjustments, reports } = profile;
  return {
    signals: idsOf(signals),
    strategies: idsOf(strategies),
    vetoes: idsOf(vetoes),
    measures: idsOf(measures),
    scorers: idsOf(scorers),
    rules: idsOf(adjustments),
    reports: idsOf(reports),
  };
}

/** The scorers that score only candidates that can still be selected. */
export interface PruningFacts {
  /** Their ids, the cheapest first. */
  readonly scorers: readonly string[];
  /** Why every scorer scores every candidate, where that is so. */
  readonly off: string | undefined;
}

/** The scorers that are pruned, or why none is. */
export const pruningFacts = ({ pruning: { scorers, disabledReason } }: Profile): PruningFacts => ({
  scorers: idsOf(scorers),
  off: disabledReason,
});

/**
 * The entries that need all candidates at once, as those of a rerank do, because they need the best. Where there are
 * none, candidates can be evaluated part by part.
 */
export function entriesNeedingAll({ vetoes, measures, scorers, rerank }: Profile): readonly Entry[] {
  const alone = ({ id, scopes, use }: Entry): boolean =>
    scopes.size === 1 && scopes.has('candidate') && !hasMemory(use) && !rerank?.ask.includes(id);
  return [...vetoes, ...measures, ...scorers].filter((entry) => !alone(entry));
}

/** Their ids. */
export const idsNeedingAll = (profile: Profile): readonly string[] => idsOf(entriesNeedingAll(profile));
