import type { Entry, Profile, Use } from '../profile/profile.js';

/** What a profile has: the ids of each kind, in the order in which a run comes to them. */
export interface Description {
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
export function describe(profile: Profile): Description {
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

/** The entries that need all candidates at once. Where there is none, candidates may be judged part by part. */
export function needAll({ vetoes, measures, scorers }: Profile): readonly Entry[] {
  const alone = ({ sights, use }: Entry): boolean => sights.size === 1 && sights.has('candidate') && !remembers(use);
  return [...vetoes, ...measures, ...scorers].filter((entry) => !alone(entry));
}

/** Their ids. */
export const needsAll = (profile: Profile): readonly string[] => idsOf(needAll(profile));

/** Whether a use, or an entry inside it, keeps a memory. */
export const remembers = (use: Use): boolean =>
  use.kind === 'class' &&
  (use.unit.meta.memory !== undefined || [...use.children.values()].some((child) => remembers(child.use)));
