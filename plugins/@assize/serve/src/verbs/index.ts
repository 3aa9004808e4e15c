/**
 * The commands that this package adds to `assize`.
 *
 * @module
 */

import type { Verb } from 'assize/verbs';
import { mcp } from './mcp.js';
import { serve } from './serve.js';

export const verbs: readonly Verb[] = [serve, mcp];
