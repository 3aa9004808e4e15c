import { keyText, type Plan } from '../engine/index.js';
import type { CombineFacts } from '../profile/index.js';

/** Σ|w| / Σ|w present|, where something is missing. */
export function missingScale(weights: Float64Array, resolved: readonly (number | undefined)[]): number | undefined {
  let all = 0;
  let present = 0;
  for (const [k, value] of resolved.entries()) {
    const weight = Math.abs(weights[k] ?? 1);
    all += weight;
    if (value !== undefined) present += weight;
  }
  return present > 0 && present < all ? all / present : undefined;
}

/** A summand or factor of the combined score; undefined where scorers are neither. */
export function contributionOf(
  { effect }: CombineFacts,
  value: number | undefined,
  weight: number,
): number | undefined {
  if (value === undefined) return undefined;
  return effect === 'summand' ? value * weight : effect === 'factor' ? value ** weight : undefined;
}

/** The case of the profile's `weights` that applies to a candidate, if one does. */
export function weightCaseOf({ score: { cases } }: Plan, candidate: unknown, row: number): string | undefined {
  const name = cases && keyText(cases.evaluate(candidate, row));
  return name !== undefined && cases?.cases.has(name) ? name : undefined;
}
