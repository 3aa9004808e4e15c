import { keyText, type Plan } from '../engine/index.js';
import type { CombineFacts } from '../profile/index.js';

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
