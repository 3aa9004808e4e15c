import { DEFAULT_STEPS } from '../expression/index.js';

/**
 * How far a profile is trusted. `full`: it is code of the host's own. `none`: a stranger wrote it; it may reach nothing
 * outside of itself and its candidates, and everything it asks for is bounded.
 */
export type Trust = 'full' | 'none';

/** How much a profile may be, and ask for. */
export interface ProfileLimits {
  /** UTF-16 units of each of its texts. */
  readonly characters: number;
  /** Values of each of its files, with all maps and lists. */
  readonly values: number;
  /** Entries of a list. */
  readonly entries: number;
  /** Plugins, and profiles that it extends. */
  readonly references: number;
  /** `select.top`; without one, all that the caller gives may be selected. */
  readonly top: number;
  /** `expression_steps`, for each candidate and expression. */
  readonly steps: number;
  /** The default of `expression_steps`. */
  readonly defaultSteps: number;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

/**
 * What a person writes is far below the first. The second is some ten times what the presets have: a profile of a
 * stranger loads in some milliseconds, and a candidate costs it at most some millions of steps.
 */
export const PROFILE_LIMITS: Readonly<Record<Trust, ProfileLimits>> = {
  full: {
    characters: UNBOUNDED,
    values: 20_000,
    entries: 2000,
    references: 100,
    top: UNBOUNDED,
    steps: UNBOUNDED,
    defaultSteps: DEFAULT_STEPS,
  },
  none: {
    characters: 65_536,
    values: 2000,
    entries: 100,
    references: 10,
    top: 10_000,
    steps: 10_000,
    defaultSteps: 10_000,
  },
};
