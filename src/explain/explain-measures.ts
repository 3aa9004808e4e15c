import { NoteRecorder } from '../engine/note-recorder.js';
import { readMeasure } from '../engine/stages/measure/measure.js';
import type { ExplainContext } from './explain-context.js';
import { errorText, explainUse, notAskedTerm } from './entry-term.js';
import { WHEN_IS_FALSE } from './explain-entries.js';
import type { MeasureTerm } from './explanation.js';
import { finiteOrUndefined, omitUndefined } from './json-value.js';
import { StaleCandidateError } from './stale-candidate-error.js';

/** The measures once more, for one candidate. */
export function explainMeasures(asking: ExplainContext): MeasureTerm[] {
  const { plan, outcome, candidate, row } = asking;
  return plan.profile.measures.map(({ id, use }): MeasureTerm => {
    const run = outcome.measures.find((one) => one.id === id);
    if (!run) return { ...notAskedTerm(use, WHEN_IS_FALSE), id };
    const record = new NoteRecorder();
    let failure = run.score ? undefined : { cause: run.cause };
    const failed = (cause: unknown): void => {
      failure = { cause };
    };
    const value = run.score ? readMeasure(run.score, candidate, row, failed, record.note) : Number.NaN;
    const stored = outcome.context.measures[id]?.[row] ?? Number.NaN;
    if (value !== stored && !(Number.isNaN(value) && Number.isNaN(stored)))
      throw new StaleCandidateError(`${id} was ${stored} and is ${value}`);
    const state = failure ? 'failed' : Number.isNaN(value) ? 'absent' : 'scored';
    return omitUndefined({ id, state, value: finiteOrUndefined(value) }, explainUse(use, record, asking), {
      error: failure && errorText(failure.cause),
    });
  });
}
