/**
 * Matchers for Vitest, with their types: `expect.extend(assizeMatchers)`. Nothing of Vitest is loaded, so that Jest can
 * use them, too.
 *
 * @module
 */
import type { AssizeMatchers } from './matchers.js';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-unused-vars -- merges with Vitest's own
  interface Matchers<T> extends AssizeMatchers {}
}

export { type AssizeMatchers, assizeMatchers } from './matchers.js';
