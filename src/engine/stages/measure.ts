import type { Note, Score } from '../../sdk/index.js';
import { ExpressionStepsError } from '../../expression/index.js';
import type { MeasureEntry } from '../../profile/index.js';
import { prepareEntry, type PrepareFailure, type PrepareInput } from '../entries.js';
import { failRun, type Failures } from '../failures.js';
import type { ActiveMeasure, CompiledMeasure } from '../plan.js';
import type { RunState } from '../run-state.js';
import { chain, describeWrongValue, inTurns, isTask, type MaybeAsync, NEVER, type Task } from '../tasks.js';
import type { Binder, UnitCompiler } from '../units/unit-compiler.js';

/** Fills the column of every measure for the kept candidates. */
export function measure(run: RunState): MaybeAsync<void> {
  const { measures } = run.plan;
  if (measures.length === 0) return undefined;
  return chain(takeMeasures(measures, run.keptInput, run.kept, run.failures), (active) => void (run.measures = active));
}

/**
 * Fills the column of every measure, in order, so that a measure may read the earlier ones.
 *
 * @param positions by candidate of the input: its position in the run
 * @returns the measures that take part in the run
 * @throws RunFailed if a measure fails and its `on_error` is `fail`
 */
export function takeMeasures(
  measures: readonly CompiledMeasure[],
  input: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): MaybeAsync<readonly ActiveMeasure[]> {
  if (input.abort !== NEVER || measures.some(({ unit }) => unit.prepares))
    return prepareAndTake(measures, input, positions, failures);
  const active: ActiveMeasure[] = [];
  for (const one of measures) {
    if (one.when()) active.push(fillColumn(one, input, positions, failures));
    else input.context.measures[one.id] = absentColumn(input);
  }
  return active;
}

function* prepareAndTake(
  measures: readonly CompiledMeasure[],
  input: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): Task<readonly ActiveMeasure[]> {
  const active: ActiveMeasure[] = [];
  for (const one of measures) {
    if (one.when()) {
      const pending = one.unit.prepares ? prepareEntry(one, one.unit, input) : undefined;
      const failure = isTask(pending) ? yield* pending : pending;
      if (failure) active.push(unpreparedColumn(one, failure, input, failures));
      else active.push(yield* fillColumnInTurns(one, input, positions, failures));
    } else input.context.measures[one.id] = absentColumn(input);
  }
  return active;
}

/** The column of a measure that does not take part in the run or could not be prepared. */
const absentColumn = ({ candidates }: PrepareInput): Float64Array =>
  new Float64Array(candidates.length).fill(Number.NaN);

function unpreparedColumn(
  { id, onError }: CompiledMeasure,
  { cause }: PrepareFailure,
  input: PrepareInput,
  failures: Failures,
): ActiveMeasure {
  if (onError === 'fail') failRun(id, 'measure', cause);
  input.context.measures[id] = absentColumn(input);
  failures.addUnprepared(id, 'measure', cause, input.candidates.length);
  return { id, score: undefined, cause };
}

function fillColumn(
  one: CompiledMeasure,
  input: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): ActiveMeasure {
  const { id, unit } = one;
  const { candidates, context } = input;
  const score = unit.scoreIn(context);
  const column = new Float64Array(candidates.length);
  fillRows(one, score, column, 0, column.length, input, positions, failures);
  context.measures[id] = column;
  return { id, score, cause: undefined };
}

function* fillColumnInTurns(
  one: CompiledMeasure,
  input: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): Task<ActiveMeasure> {
  const { id, unit } = one;
  const { abort, candidates, context } = input;
  const score = unit.scoreIn(context);
  const column = new Float64Array(candidates.length);
  const filled = inTurns(abort, column.length, 'measure', (from, to) =>
    fillRows(one, score, column, from, to, input, positions, failures),
  );
  if (isTask(filled)) yield* filled;
  context.measures[id] = column;
  return { id, score, cause: undefined };
}

function fillRows(
  { id, onError }: CompiledMeasure,
  score: Score<unknown>,
  column: Float64Array,
  from: number,
  to: number,
  { candidates }: PrepareInput,
  positions: ArrayLike<number>,
  failures: Failures,
): void {
  let row = from;
  const onFailure = (error: unknown): void => {
    if (onError === 'fail' || error instanceof ExpressionStepsError) failRun(id, 'measure', error, positions[row]);
    failures.add(id, 'measure', error);
  };
  for (; row < to; row++) column[row] = readMeasure(score, candidates[row], row, onFailure);
}

/** The number of a measure for one candidate: NaN if it is absent or failed. */
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
    onFailure(new RangeError(`it returned ${typeof value === 'number' ? value : describeWrongValue(value)}`));
  } catch (error) {
    onFailure(error);
  }
  return Number.NaN;
}

export const compileMeasure = (entry: MeasureEntry, units: UnitCompiler, binder: Binder): CompiledMeasure => ({
  id: entry.id,
  timeout: entry.timeout,
  onError: entry.onError,
  when: binder.condition(entry.when, entry.id, 'measure'),
  unit: units.entry<number>(entry, 'measure'),
});
