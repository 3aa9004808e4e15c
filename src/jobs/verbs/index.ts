/**
 * The command that this package adds to `assize`.
 *
 * @module
 */

import type { Verb } from '../../verbs.js';
import { jobs } from './jobs.js';

export const verbs: readonly Verb[] = [jobs];
