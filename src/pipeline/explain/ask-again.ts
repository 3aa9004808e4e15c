import { readSteps, type Sight } from '../../explain/reads.js';
import { parsePath } from '../../expression/path-syntax.js';
import { indexIn } from '../../matrix/slab.js';
import type { Plan } from '../compile/plan.js';
import type { Judgement } from '../outcome.js';

/** A candidate of a run that is asked about again. */
export interface Asking extends Sight {
  readonly plan: Plan;
  readonly outcome: Judgement;
  readonly position: number;
  /** Its row of Tier 2; −1 where it has none. */
  readonly row: number;
}

/** Makes its run the one that units read: what is asked then must be asked at once, before anything is awaited. */
export function askAgain(plan: Plan, outcome: Judgement, position: number): Asking {
  const { candidates, kept, state } = outcome;
  plan.cell.state = state;
  const candidate = candidates[position];
  const row = indexIn(kept, position);
  const scorers = plan.profile.scorers.map(({ id }) => id);
  const variable = (name: string): unknown => {
    const [holder = '', key = ''] = name.split('.');
    if (holder === 'measures') return measured(state.measures[key], row);
    if (holder === 'signals') return state.signals[key];
    if (holder === 'scores') return state.scores[scorers.indexOf(key)]?.(candidate, row);
    if (/^context\b/.test(name)) return readSteps(parsePath(name).slice(1), state.context);
    return state.values[scorers.indexOf(name)]; // a formula's
  };
  return { plan, outcome, position, row, candidate, variable };
}

function measured(column: Float64Array | undefined, row: number): number | undefined {
  const value = column?.[row];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
