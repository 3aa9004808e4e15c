import type { Difference } from '../compare-profiles.js';
import type { LabelledDifference } from '../labelled/compare-labelled.js';
import type { ProfilePart } from './variants.js';

/** What one part of a profile earns by each measure. */
export interface AblatedPart extends ProfilePart {
  readonly earns: readonly PartEarning[];
}

/** What a part earns by one measure. */
export interface PartEarning extends Pick<Difference, 'measure' | 'interval' | 'adjusted'> {
  /** The mean with the part, less the mean without it. */
  readonly mean: number;
  /** On how many queries it is better with the part, worse, and the same; missing for data without queries. */
  readonly better?: number;
  readonly worse?: number;
  readonly same?: number;
  /**
   * `earns` and `harms` where the difference is shown; `changes nothing` where it is 0 on every query, or in every sample;
   * else `not shown`.
   */
  readonly verdict: 'earns' | 'harms' | 'changes nothing' | 'not shown';
}

/** The name of the profile with all its parts, where it is compared with those without one. */
export const WHOLE = 'the profile';

/** The name of a profile without a part. */
export const partName = ({ kind, id }: ProfilePart): string => `${kind} ${id}`;

/** What is lost without a part is what it earns; the part that earns most by the first measure comes first. */
export const ablatedParts = (
  parts: readonly ProfilePart[],
  differences: readonly (Difference | LabelledDifference)[],
): readonly AblatedPart[] =>
  parts
    .map((part) => ({
      kind: part.kind,
      id: part.id,
      earns: differences.filter(({ profile }) => profile === partName(part)).map(earning),
    }))
    .toSorted((a, b) => (b.earns[0]?.mean ?? 0) - (a.earns[0]?.mean ?? 0));

function earning(difference: Difference | LabelledDifference): PartEarning {
  const { measure, mean, interval, adjusted, verdict } = difference;
  const [low, high] = interval;
  const queries = 'better' in difference ? difference : undefined;
  const nothing = queries ? queries.better + queries.worse === 0 : low === 0 && high === 0;
  const shown = verdict === 'worse' ? 'earns' : verdict === 'better' ? 'harms' : 'not shown';
  return {
    measure,
    mean: 0 - mean,
    interval: [0 - high, 0 - low],
    adjusted,
    ...(queries && { better: queries.worse, worse: queries.better, same: queries.same }),
    verdict: nothing ? 'changes nothing' : shown,
  };
}
