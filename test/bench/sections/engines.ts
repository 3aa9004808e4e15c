import { RUN } from '../bounds.js';
import { assize, formulas, functions } from '../engines/assize.js';
import { byHand } from '../engines/by-hand.js';
import { celJs } from '../engines/cel-js.js';
import { filtrex } from '../engines/filtrex.js';
import { jsonLogic } from '../engines/json-logic.js';
import { jsonRules } from '../engines/json-rules.js';
import { sideBySide } from '../engines/side-by-side.js';
import { zen } from '../engines/zen.js';
import type { Section } from '../section.js';

const OURS = [assize, formulas, functions] as const;
const FASTER = { atLeast: 1 };
const RIVALS = [
  [jsonLogic, FASTER],
  [filtrex, FASTER],
  [celJs, FASTER],
  [jsonRules, { atLeast: 100 }],
  [zen, FASTER],
] as const;

/** The branch predictor memorises a repeated set, and the loop by hand gains most. */
const CHANGING = { atMost: 1.5, bound: RUN };
const GOALS = [{ atMost: 2, bound: RUN }, CHANGING, CHANGING] as const;

export const engines: Section = {
  name: 'engines',
  title: 'Assize and other engines',
  about: `Three vetoes, six weighted scorers, an exponential decay, the best ten, on the same parsed JSON. All
answers are checked: the same ten items, the same scores to 1e-12 (zen computes in decimals: to 1e-8). Each engine is used as
its documentation says is fastest (\`test/bench/engines/\`); a loop by hand does what it cannot do. One set repeated
flatters every tight loop, because the branch predictor learns it; sets that change are what a server sees.`,
  packages: RIVALS.flatMap(([rival]) => rival.package ?? []),
  run: (effort) => sideBySide({ byHand, ours: OURS, goals: GOALS, rivals: RIVALS }, effort),
};
