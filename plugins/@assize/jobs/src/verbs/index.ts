/**
 * The command that this package adds to `assize`.
 *
 * @module
 */

import type { Verb } from 'assize/verbs';
import { jobs } from './jobs.js';

export const verbs: readonly Verb[] = [jobs];
