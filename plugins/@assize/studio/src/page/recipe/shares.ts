import type { StudioModel } from '../model/studio-model.js';
import { isOn } from '../settings/settings.js';

/** Weights by the ids of scorers, in the order of the profile. */
export type Weights = ReadonlyMap<string, number>;

/** New weights of some scorers, by id. */
export type NewWeights = Readonly<Record<string, number>>;

/** More digits than a person means. */
const rounded = (weight: number): number => Number(weight.toPrecision(3));

/** A difference without the digits of floating-point numbers. */
const withoutNoise = (weight: number): number => Number(weight.toPrecision(12));

const sum = (weights: Iterable<number>): number => {
  let total = 0;
  for (const weight of weights) total += weight;
  return total;
};

/** Whether the profile combines scores by a mean, so that weights are shares of a whole. */
export function isMean({ data }: StudioModel): boolean {
  const { combine = 'weighted_mean' } = data.profile;
  return typeof combine === 'string' && combine.endsWith('_mean');
}

/** The weights that have a share; undefined if the scores are not combined by shares that a person can edit. */
export function sharedWeights(model: StudioModel, inCase: string | undefined): Weights | undefined {
  if (!isMean(model) || !model.ranker.readsWeights) return undefined;
  const weights = new Map<string, number>();
  for (const scorer of model.scorers) {
    if (!isOn(model.settings, scorer)) continue;
    const weight = model.weightOf(scorer.id, inCase);
    if (typeof weight !== 'number' || weight < 0) return undefined;
    weights.set(scorer.id, weight);
  }
  return sum(weights.values()) > 0 ? weights : undefined;
}

/** The share of each weight in their sum. */
export function sharesOf(weights: Weights): ReadonlyMap<string, number> {
  const total = sum(weights.values());
  return new Map([...weights].map(([id, weight]) => [id, weight / total]));
}

/**
 * The weights that give a scorer a share. Without locks only its own weight changes; with locks the shares of locked
 * scorers stay, and the others fill the rest.
 */
export function withShare(weights: Weights, id: string, wanted: number, locked: ReadonlySet<string>): NewWeights {
  const others = [...weights].filter(([other]) => other !== id);
  const kept = others.filter(([other]) => locked.has(other));
  const free = others.filter(([other]) => !locked.has(other));
  const [keptSum, freeSum] = [sum(kept.map(([, weight]) => weight)), sum(free.map(([, weight]) => weight))];
  const total = sum(weights.values());
  const share = Math.max(0, Math.min(1 - keptSum / total, wanted));
  if (kept.length === 0 && share < 1) return freeSum === 0 ? {} : { [id]: rounded((share / (1 - share)) * freeSum) };
  if (freeSum === 0) return {};
  const factor = Math.max(0, total - keptSum - share * total) / freeSum;
  return Object.fromEntries([
    [id, rounded(share * total)],
    ...free.map(([other, weight]) => [other, rounded(weight * factor)]),
  ]);
}

/** The weights after the border between two scorers has moved: what one gains the other loses. */
export function withBorder(weights: Weights, left: string, right: string, share: number): NewWeights {
  const total = sum(weights.values());
  const both = (weights.get(left) ?? 0) + (weights.get(right) ?? 0);
  const next = rounded(Math.max(0, Math.min(both, share * total)));
  // The sum stays, so that no other border moves.
  return { [left]: Math.min(next, both), [right]: withoutNoise(Math.max(0, both - next)) };
}
