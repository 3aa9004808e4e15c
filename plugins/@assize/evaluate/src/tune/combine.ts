import { combineFacts, type Profile } from 'assize/internal';

export type ScorerEntry = Profile['scorers'][number];

/** Whether only the proportions of the weights count. */
export const hasRelativeWeights = ({ combine }: Pick<Profile, 'combine'>): boolean =>
  combineFacts(combine).weights === 'relative';

/** Whether the logarithm of the result is a weighted sum of the logarithms of the scores, as for a geometric mean. */
export function addsLogarithms({ combine }: Pick<Profile, 'combine'>): boolean {
  const { effect, weights } = combineFacts(combine);
  return effect === 'factor' && weights !== 'none';
}
