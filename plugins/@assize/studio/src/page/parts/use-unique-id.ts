import { useState } from 'preact/hooks';

let next = 0;

/**
 * An id that no other element of the page has. `useId` of Preact counts again from the start when the page is rendered with
 * another model, so that a label would name an element of the page instead of its own.
 */
export function useUniqueId(): string {
  const [id] = useState(() => `unique-${(next += 1)}`);
  return id;
}
