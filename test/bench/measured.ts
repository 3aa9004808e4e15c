import type { Result } from './result.js';
import type { Section } from './section.js';

/** A section with its result, or the reason why it failed. */
export interface Measured {
  readonly section: Section;
  readonly results: readonly Result[];
  readonly failure?: string | undefined;
}
