import type { Note, Score } from '../../../contract/index.js';
import type { PrepareFailure, PrepareInput } from '../../compiled-unit.js';
import type { Failures } from '../../failures.js';
import { prepareEntry } from '../../prepare-entry.js';
import type { RunState } from '../../run-state.js';
import { describeWrongValue } from '../../stray-promise.js';
import { chain, isTask, type MaybeAsync, type Task } from '../../task.js';
import type { ActiveMeasure, CompiledMeasure } from './types.js';

/** Fills the column of every measure for the kept candidates. */
export function measure(run: RunState): MaybeAsync<void> {
  const { measures } = run.plan;
  if (measures.length === 0) return undefined;
  return chain(takeMeasures(measures, run.keptInput, run.failures), (active) => void (run.measures = active));
}

/**
 * Fills the column of every measure, in order, so that a measure may read the earlier ones.
 *
 * @returns the measures that are in the run
 */
export function takeMeasures(
  measures: readonly CompiledMeasure[],
  input: PrepareInput,
  failures: Failures,
): MaybeAsync<readonly ActiveMeasure[]> {
  if (measures.some(({ unit }) => unit.prepares)) return prepareAndTake(measures, input, failures);
  const active: ActiveMeasure[] = [];
  for (const one of measures) {
    if (one.when()) active.push(fillColumn(one, undefined, input, failures));
    else input.context.measures[one.id] = absentColumn(input);
  }
  return active;
}

function* prepareAndTake(
  measures: readonly CompiledMeasure[],
  input: PrepareInput,
  failures: Failures,
): Task<readonly ActiveMeasure[]> {
  const active: ActiveMeasure[] = [];
  for (const one of measures) {
    if (one.when()) {
      const pending = one.unit.prepares ? prepareEntry(one, one.unit, input) : undefined;
      active.push(fillColumn(one, isTask(pending) ? yield* pending : pending, input, failures));
    } else input.context.measures[one.id] = absentColumn(input);
  }
  return active;
}

/** The column of a measure that is not in the run, or could not be prepared. */
const absentColumn = ({ candidates }: PrepareInput): Float64Array =>
  new Float64Array(candidates.length).fill(Number.NaN);

function fillColumn(
  { id, unit }: CompiledMeasure,
  failure: PrepareFailure | undefined,
  input: PrepareInput,
  failures: Failures,
): ActiveMeasure {
  const { candidates, context } = input;
  if (failure) {
    context.measures[id] = absentColumn(input);
    failures.addUnprepared(id, 'measure', failure.cause);
    return { id, score: undefined, cause: failure.cause };
  }
  const score = unit.scoreIn(context);
  const column = new Float64Array(candidates.length);
  const onFailure = (error: unknown): void => failures.add(id, 'measure', error);
  for (let row = 0; row < column.length; row++) column[row] = readMeasure(score, candidates[row], row, onFailure);
  context.measures[id] = column;
  return { id, score, cause: undefined };
}

/** The number of a measure for one candidate: NaN where it is absent or failed. */
export function readMeasure(
  score: Score<unknown>,
  candidate: unknown,
  row: number,
  onFailure: (error: unknown) => void,
  note?: Note,
): number {
  try {
    const value = score(candidate, row, note);
    if (value === undefined || Number.isFinite(value)) return value ?? Number.NaN;
    onFailure(new RangeError(`it gave ${typeof value === 'number' ? value : describeWrongValue(value)}`));
  } catch (error) {
    onFailure(error);
  }
  return Number.NaN;
}
