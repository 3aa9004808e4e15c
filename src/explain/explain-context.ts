import { type Evaluation, indexIn, type Plan } from '../engine/index.js';
import { parsePath } from '../expression/index.js';
import { readSteps, type VariableLookup } from './field-reads.js';

/** One candidate of a run, for evaluating its entries again. */
export interface ExplainContext extends VariableLookup {
  readonly plan: Plan;
  readonly evaluation: Evaluation;
  /** Its position in the candidates that were given. */
  readonly position: number;
  /** Its row of Tier 2; −1 where it has none. */
  readonly row: number;
}

/** An entry gives another result than it gave in the run: the candidate has changed since. */
export class StaleCandidateError extends Error {}

/**
 * Does synchronous work in a run that is over, so that its units read its context, signals and prepared scores. Every
 * second evaluation goes through here.
 */
export function withRun<R>(plan: Plan, { context }: Pick<Evaluation, 'context'>, work: () => R): R {
  return plan.current.enter(context, work);
}

/** The context of one candidate. Its variables are only valid inside `withRun`. */
export function explainContext(plan: Plan, evaluation: Evaluation, position: number): ExplainContext {
  const { candidates, kept, context } = evaluation;
  const candidate = candidates[position];
  const row = indexIn(kept, position);
  const scorers = plan.profile.scorers.map(({ id }) => id);
  const variable = (name: string): unknown => {
    const [holder = '', key = ''] = name.split('.');
    if (holder === 'measures') return measureAt(context.measures[key], row);
    if (holder === 'signals') return context.signals[key];
    if (holder === 'scores') return context.scores[scorers.indexOf(key)]?.(candidate, row);
    if (/^context\b/.test(name)) return readSteps(parsePath(name).slice(1), context.context);
    return context.values[scorers.indexOf(name)]; // of a formula: a scorer's id
  };
  return { plan, evaluation, position, row, candidate, variable };
}

function measureAt(column: Float64Array | undefined, row: number): number | undefined {
  const value = column?.[row];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
