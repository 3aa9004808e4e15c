import { hasMemory } from './has-memory.js';
import type { Entry, Profile } from './profile.js';

/** What a profile has: the ids of each kind, in the order in which a run comes to them. */
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

/** What a profile has, by id. */
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

/** Which scorers a ranking asks only about candidates that can still be selected. */
export interface PruningFacts {
  /** Their ids, the cheapest first. */
  readonly scorers: readonly string[];
  /** Why everybody is asked about everybody, where that is so. */
  readonly off: string | undefined;
}

/** What is pruned, or why nothing is. */
export const pruningFacts = ({ pruning: { scorers, disabledReason } }: Profile): PruningFacts => ({
  scorers: idsOf(scorers),
  off: disabledReason,
});

/**
 * The entries that need all candidates at once; what a rerank asks needs to know the best. Where there is none,
 * candidates may be judged part by part.
 */
export function entriesNeedingAll({ vetoes, measures, scorers, rerank }: Profile): readonly Entry[] {
  const alone = ({ id, scopes, use }: Entry): boolean =>
    scopes.size === 1 && scopes.has('candidate') && !hasMemory(use) && !rerank?.ask.includes(id);
  return [...vetoes, ...measures, ...scorers].filter((entry) => !alone(entry));
}

/** Their ids. */
export const idsNeedingAll = (profile: Profile): readonly string[] => idsOf(entriesNeedingAll(profile));
