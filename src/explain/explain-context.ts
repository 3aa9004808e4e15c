import { indexIn } from '../engine/kernel/run-buffers.js';
import type { Plan } from '../engine/plan.js';
import type { Evaluation } from '../engine/run-state.js';
import { parsePath } from '../expression/path/path-syntax.js';
import { readSteps, type VariableLookup } from './field-reads.js';

/** A candidate of a run that is asked about again. */
export interface ExplainContext extends VariableLookup {
  readonly plan: Plan;
  readonly outcome: Evaluation;
  readonly position: number;
  /** Its row of Tier 2; −1 where it has none. */
  readonly row: number;
}

/** For work in the context of its run, entered by `plan.current.enter`. */
export function createExplainContext(plan: Plan, outcome: Evaluation, position: number): ExplainContext {
  const { candidates, kept, context } = outcome;
  const candidate = candidates[position];
  const row = indexIn(kept, position);
  const scorers = plan.profile.scorers.map(({ id }) => id);
  const variable = (name: string): unknown => {
    const [holder = '', key = ''] = name.split('.');
    if (holder === 'measures') return measureAt(context.measures[key], row);
    if (holder === 'signals') return context.signals[key];
    if (holder === 'scores') return context.scores[scorers.indexOf(key)]?.(candidate, row);
    if (/^context\b/.test(name)) return readSteps(parsePath(name).slice(1), context.context);
    return context.values[scorers.indexOf(name)]; // a formula's
  };
  return { plan, outcome, position, row, candidate, variable };
}

function measureAt(column: Float64Array | undefined, row: number): number | undefined {
  const value = column?.[row];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
