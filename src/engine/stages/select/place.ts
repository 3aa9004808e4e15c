import type { CostedRow, SelectorFunction, SelectorLimits } from '../../../contract/index.js';

/** Placing has no limits: what was packed is in. */
const EVERYTHING: SelectorLimits = { target: Infinity, max: Infinity };

/** Puts what was selected in its order. */
export const place = (rows: readonly CostedRow[], select: SelectorFunction): readonly CostedRow[] =>
  select(rows, EVERYTHING).kept;
