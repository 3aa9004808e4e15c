import type { Expression } from '../../expression/index.js';
import type { Profile, ProfileLocation } from '../../profile/index.js';

/** The location of an entry in the profile, by its stage and id. */
export function entryLocation(profile: Profile, stage: string, entry: string): ProfileLocation | undefined {
  const { signals, strategies, vetoes, measures, scorers, select, reports } = profile;
  if (stage === 'diversify' || stage === 'pack' || stage === 'place') return select[stage];
  if (stage === 'select') return locationOf(entry, profile.candidate.pinned, select);
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

/** The location of what selects: `pinned`, `duplicates`, `ties`. */
function locationOf(
  what: string,
  pinned: Expression | undefined,
  { duplicates, ties }: Profile['select'],
): ProfileLocation | undefined {
  const [path, expression] =
    what === 'pinned'
      ? ['candidate.pinned', pinned]
      : what === 'duplicates'
        ? ['select.duplicates', duplicates]
        : [`select.${what}`, ties?.find((_, n) => what === tieName(n))];
  return expression && { path, place: expression.place };
}

/** The name of one of the expressions in `select.ties`. */
export const tieName = (n: number): string => `ties[${n}]`;
