import { useState } from 'preact/hooks';

let last = 0;

/** An id of an element. Those of `useId` are given again once the whole page is rendered again, as after a save. */
export function useUniqueId(): string {
  const [id] = useState(() => `id-${(last += 1)}`);
  return id;
}
