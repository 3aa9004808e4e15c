import type { Note, Score } from '../../../contract/index.js';
import type { Failures } from '../../failures.js';
import { prepareEntry } from '../../prepare-entry.js';
import type { CompiledMeasure, CurrentRun, PrepareFailure, PrepareInput } from '../../run-context.js';
import { isTask, type MaybeAsync, type Task } from '../../task.js';

/** A measure as one run has it. */
export interface ActiveMeasure {
  readonly id: string;
  /** As the unit gives it; undefined where it could not be prepared. */
  readonly score: Score<unknown> | undefined;
  /** Why it could not be prepared. */
  readonly cause: unknown;
}

/** Asks a measure about one candidate: a number, or NaN where the measure is absent or failed. */
export function readMeasure(
  score: Score<unknown>,
  candidate: unknown,
  row: number,
  failed: (error: unknown) => void,
  note?: Note,
): number {
  try {
    const value = score(candidate, row, note);
    if (value === undefined || Number.isFinite(value)) return value ?? Number.NaN;
    failed(new RangeError(`it gave ${value}`));
  } catch (error) {
    failed(error);
  }
  return Number.NaN;
}

/**
 * Fills the column of every measure, in order, so that a measure may read the earlier ones.
 *
 * @returns the measures that are in the run
 */
export function takeMeasures(
  measures: readonly CompiledMeasure[],
  cell: CurrentRun,
  batch: PrepareInput,
  failures: Failures,
): MaybeAsync<readonly ActiveMeasure[]> {
  if (measures.some(({ unit }) => unit.prepares)) return measurePrepared(measures, cell, batch, failures);
  const runs: ActiveMeasure[] = [];
  for (const one of measures) {
    cell.context = batch.context;
    if (one.when()) runs.push(measureColumn(one, undefined, cell, batch, failures));
    else batch.context.measures[one.id] = absentColumn(batch);
  }
  return runs;
}

function* measurePrepared(
  measures: readonly CompiledMeasure[],
  cell: CurrentRun,
  batch: PrepareInput,
  failures: Failures,
): Task<readonly ActiveMeasure[]> {
  const runs: ActiveMeasure[] = [];
  for (const one of measures) {
    cell.context = batch.context;
    if (one.when()) {
      const outcome = one.unit.prepares ? prepareEntry(one, one.unit, batch) : undefined;
      runs.push(measureColumn(one, isTask(outcome) ? yield* outcome : outcome, cell, batch, failures));
    } else batch.context.measures[one.id] = absentColumn(batch);
  }
  return runs;
}

/** The column of a measure that is not in the run, or could not be prepared. */
const absentColumn = ({ candidates }: PrepareInput): Float64Array =>
  new Float64Array(candidates.length).fill(Number.NaN);

/** Takes a measure of every candidate. */
function measureColumn(
  { id, unit }: CompiledMeasure,
  failed: PrepareFailure | undefined,
  cell: CurrentRun,
  batch: PrepareInput,
  failures: Failures,
): ActiveMeasure {
  const { candidates, context } = batch;
  if (failed) {
    context.measures[id] = absentColumn(batch);
    failures.addUnprepared(id, 'measure', failed.cause);
    return { id, score: undefined, cause: failed.cause };
  }
  cell.context = context;
  const score = unit.scoreIn(context);
  const column = new Float64Array(candidates.length);
  const fail = (error: unknown): void => failures.add(id, 'measure', error);
  for (let row = 0; row < column.length; row++) column[row] = readMeasure(score, candidates[row], row, fail);
  context.measures[id] = column;
  return { id, score, cause: undefined };
}
