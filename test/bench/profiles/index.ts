import type { BenchProfile } from './bench-profile.js';
import { numbersProfile } from './numbers.js';

/** Profiles that differ in what costs time. `again` of the section ranks the first one again after rows of other shapes. */
export const PROFILES: readonly BenchProfile[] = [numbersProfile];
