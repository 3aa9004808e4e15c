import type { Result } from './result.js';
import type { Section } from './section.js';

/** A section and what it came to, or why it did not. */
export interface Measured {
  readonly section: Section;
  readonly results: readonly Result[];
  readonly failure?: string | undefined;
}
