import { compileSteps, ownValue, storedReader } from '../../expression/index.js';
import type { Profile } from '../../profile/index.js';

const ownId = (candidate: unknown): unknown => ownValue(candidate, 'id');

/** A candidate's id: what the path in `candidate.id` gives, else its `id`, else its position as `#3`. */
export const idOf = (profile: Profile, candidate: unknown, index: number): string =>
  ownIdOf(profile, candidate) ?? `#${index}`;

/** The id that a candidate has whatever its position. */
export function ownIdOf(profile: Profile, candidate: unknown): string | undefined {
  let id: unknown;
  try {
    const path = profile.candidate.id;
    id = (path ?? ownId)(candidate);
    // A path reads a date as a number; as an id it is the text of its instant.
    if (path && typeof id === 'number') id = compileSteps(path.steps, storedReader)(candidate);
  } catch {
    return undefined; // a candidate's own getter throws
  }
  if (id instanceof Date) return Number.isNaN(id.getTime()) ? undefined : id.toISOString();
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}
