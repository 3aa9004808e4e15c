import type { Profile, ProfileLocation } from '../profile/index.js';

/** The location of an entry in the profile, by its stage and id. */
export function entryLocation(profile: Profile, stage: string, entry: string): ProfileLocation | undefined {
  const { signals, strategies, vetoes, measures, scorers, select, reports } = profile;
  if (stage === 'pack' || stage === 'place') return select[stage];
  const entries = new Map<string, readonly (ProfileLocation & { readonly id: string })[]>([
    ['signals', signals],
    ['generate', strategies],
    ['veto', vetoes],
    ['measure', measures],
    ['score', scorers],
    ['fallback', strategies],
    ['report', reports],
  ]);
  return entries.get(stage)?.find(({ id }) => id === entry);
}
