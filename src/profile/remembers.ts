import type { Use } from './profile.js';

/** Whether a use, or an entry inside it, keeps a memory. */
export const remembers = (use: Use): boolean =>
  use.kind === 'class' &&
  (use.unit.meta.memory !== undefined || [...use.children.values()].some((child) => remembers(child.use)));
