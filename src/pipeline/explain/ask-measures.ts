import { askedOf, errorOf, notAsked } from '../../explain/asked.js';
import type { MeasureTerm } from '../../explain/explanation.js';
import { defined, finite } from '../../explain/plain.js';
import { Recorder } from '../../explain/recorder.js';
import { readMeasure } from '../../stages/measure.js';
import type { Asking } from './ask-again.js';
import { NOT_IN_RUN } from './ask-vetoes.js';
import { Changed } from './changed.js';

/** The measures once more, for one candidate. */
export function measureTerms(asking: Asking): MeasureTerm[] {
  const { plan, outcome, candidate, row } = asking;
  return plan.profile.measures.map(({ id, use }): MeasureTerm => {
    const run = outcome.measured.find((one) => one.id === id);
    if (!run) return { ...notAsked(use, NOT_IN_RUN), id };
    const record = new Recorder();
    let failure = run.score ? undefined : { cause: run.cause };
    const failed = (cause: unknown): void => {
      failure = { cause };
    };
    const value = run.score ? readMeasure(run.score, candidate, row, failed, record.note) : Number.NaN;
    const stored = outcome.state.measures[id]?.[row] ?? Number.NaN;
    if (value !== stored && !(Number.isNaN(value) && Number.isNaN(stored)))
      throw new Changed(`${id} was ${stored} and is ${value}`);
    const state = failure ? 'failed' : Number.isNaN(value) ? 'absent' : 'scored';
    return defined({ id, state, value: finite(value) }, askedOf(use, record, asking), {
      error: failure && errorOf(failure.cause),
    });
  });
}
