import type { CostedRow, Limits, Select } from '../contract/index.js';

/** Placing has no limits: what was packed is in. */
const EVERYTHING: Limits = { target: Infinity, max: Infinity };

/** Puts what was selected in its order. */
export const place = (rows: readonly CostedRow[], select: Select): readonly CostedRow[] =>
  select(rows, EVERYTHING).kept;
