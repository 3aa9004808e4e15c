import { didYouMean, toAssizeError } from 'assize';
import { checkOptions } from 'assize/internal';
import { type Difference, differencesFrom } from './differences.js';
import type { Evaluation } from './evaluate-profiles.js';

export interface CompareProfilesOptions {
  /** The profile that the others are compared with. Default: the first. */
  readonly baseline?: string;
  /** The number of samples of the permutation test and the bootstrap. Default: 10,000; without queries 2,000. */
  readonly samples?: number;
  /** The same seed gives the same intervals and p-values. Default: 1. */
  readonly seed?: number;
}

const OPTIONS = { baseline: 'string', samples: { integerFrom: 1 }, seed: { integerFrom: 0 } } as const;

/**
 * Compares profiles with a baseline by each measure of an evaluation.
 *
 * @throws AssizeError (ASZ533) if no profile has the baseline's name
 */
export function compareProfiles(evaluation: Evaluation, options: CompareProfilesOptions = {}): readonly Difference[] {
  checkOptions('compareProfiles', options, OPTIONS);
  const { baseline, ...sampling } = options;
  return differencesFrom(evaluation, baselineOf(evaluation.profiles, baseline), sampling);
}

/** Finds a profile by name; the first one by default. */
export function baselineOf<P extends { readonly profile: string }>(
  profiles: readonly P[],
  name = profiles[0]?.profile ?? '',
): P {
  const found = profiles.find(({ profile }) => profile === name);
  if (found) return found;
  const names = profiles.map(({ profile }) => profile);
  const hint = didYouMean(name, names, `the profiles are ${names.join(', ')}`);
  throw toAssizeError([{ code: 'ASZ533', message: `the evaluation has no profile ${name}`, hint }]);
}
