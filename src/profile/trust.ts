import { DEFAULT_STEPS } from '../expression/index.js';

/**
 * The trust in a profile. `full`: it is part of your own code. `none`: a stranger wrote it; it can access only itself and
 * its candidates, and its size and cost are limited.
 */
export type Trust = 'full' | 'none';

/** The limits on the size and cost of a profile. */
export interface ProfileLimits {
  /** UTF-16 code units in each text. */
  readonly characters: number;
  /** Values in each file, maps and lists included. */
  readonly values: number;
  /** Entries in a list. */
  readonly entries: number;
  /** Lines of `plugins`, and lines of `extends`. */
  readonly references: number;
  /** `select.top`; without it, every candidate may be selected. */
  readonly top: number;
  /** `expression_steps`, per candidate and expression. */
  readonly steps: number;
  /** The default of `expression_steps`. */
  readonly defaultSteps: number;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

/**
 * Profiles that people write stay far below the limits of `full`. Those of `none` are about ten times the size of the
 * presets: an untrusted profile loads in a few milliseconds and uses at most some million steps per candidate.
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
