import type { Use } from './profile.js';

/** Whether a use, or an entry inside it, keeps a memory. */
export const hasMemory = (use: Use): boolean =>
  use.kind === 'class' &&
  (use.unit.meta.memory !== undefined || [...use.children.values()].some((child) => hasMemory(child.use)));
