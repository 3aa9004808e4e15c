import { absentProfile } from './absent.js';
import { numbersAgain } from './again.js';
import type { BenchProfile } from './bench-profile.js';
import { casesProfile } from './cases.js';
import { compositesProfile } from './composites.js';
import { curvesProfile } from './curves.js';
import { datesProfile } from './dates.js';
import { numbersProfile } from './numbers.js';
import { rulesProfile } from './rules.js';
import { scorersProfile } from './scorers.js';
import { textsProfile } from './texts.js';

/** Profiles that differ in what costs time. The last one ranks the first one again, after rows of other shapes. */
export const PROFILES: readonly BenchProfile[] = [
  numbersProfile,
  textsProfile,
  datesProfile,
  absentProfile,
  rulesProfile,
  casesProfile,
  compositesProfile,
  curvesProfile,
  scorersProfile(64),
  numbersAgain,
];
