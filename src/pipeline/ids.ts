import type { Profile } from '../profile/profile.js';

const ownId = (candidate: unknown): unknown =>
  typeof candidate === 'object' && candidate !== null && Object.hasOwn(candidate, 'id')
    ? Reflect.get(candidate, 'id')
    : undefined;

/** A candidate's id: what the path in `candidate.id` gives, else its `id`, else its position as `#3`. */
export function idOf(profile: Profile, candidate: unknown, index: number): string {
  const id = quietly(() => (profile.candidate.id ?? ownId)(candidate));
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : `#${index}`;
}

/** What reading gives; undefined where a candidate's own getter throws. */
export function quietly(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
