import type { Problem } from '../diagnostics/index.js';
import type { Change } from '../profile/index.js';
import type { Plan } from './plan.js';

/** A compiled profile, and how to compile it with a change. */
export interface CompiledProfile {
  readonly plan: Plan;
  /** What is legal in the profile and surely a mistake. */
  readonly warnings: readonly Problem[];
  /** The text of each entry, by id: entries with other texts differ in another version of the profile. */
  readonly entryTexts: () => ReadonlyMap<string, string>;
  /** @throws AssizeError where the change, or the profile that it makes, is not valid */
  readonly applyChange: (change: Change) => CompiledProfile;
}
