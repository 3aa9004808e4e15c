import type { Problem } from '../contract/index.js';
import type { Change } from '../profile/amend.js';
import type { Plan } from './compile/plan.js';

/** A profile compiled, and how to have it otherwise. */
export interface Edition {
  readonly plan: Plan;
  /** What is legal in the profile and surely a mistake. */
  readonly warnings: readonly Problem[];
  /** @throws AssizeError where the change, or the profile that it makes, is not valid */
  readonly amend: (change: Change) => Edition;
}
