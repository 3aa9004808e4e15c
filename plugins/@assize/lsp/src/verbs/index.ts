/**
 * The command that this package adds to `assize`.
 *
 * @module
 */

import type { Verb } from 'assize/verbs';
import { lsp } from './lsp.js';

export const verbs: readonly Verb[] = [lsp];
