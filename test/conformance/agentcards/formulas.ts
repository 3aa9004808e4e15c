import { DAG } from './dag.js';
import { MIXED } from './mixed.js';
import { PREDICTION } from './prediction.js';
import type { Checks } from './row.js';
import { SEARCH } from './search.js';

/** How the pack and its presets compute each family. */
export const FORMULAS: Readonly<Record<string, Checks>> = { ...SEARCH, ...DAG, ...PREDICTION, ...MIXED };
