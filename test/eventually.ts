import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.js';

/** Waits until an assertion holds. */
export const eventually = (holds: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(holds, { timeout: PATIENCE_MS, interval: 20 });
