import type { Note, Score } from '../contract/index.js';
import type { Failures } from './failures.js';
import type { Batch, Cell, CompiledMeasure, Unprepared } from './plan.js';
import { prepareEntry } from './prepare.js';
import { isSteps, type Soon, type Steps } from './wait.js';

/** A measure as one run has it. */
export interface MeasureRun {
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
export function measure(
  measures: readonly CompiledMeasure[],
  cell: Cell,
  batch: Batch,
  failures: Failures,
): Soon<readonly MeasureRun[]> {
  if (measures.some(({ unit }) => unit.batch)) return measureInSteps(measures, cell, batch, failures);
  const runs: MeasureRun[] = [];
  for (const one of measures) {
    cell.state = batch.state;
    if (one.when()) runs.push(taken(one, undefined, cell, batch, failures));
    else batch.state.measures[one.id] = absent(batch);
  }
  return runs;
}

function* measureInSteps(
  measures: readonly CompiledMeasure[],
  cell: Cell,
  batch: Batch,
  failures: Failures,
): Steps<readonly MeasureRun[]> {
  const runs: MeasureRun[] = [];
  for (const one of measures) {
    cell.state = batch.state;
    if (one.when()) {
      const outcome = one.unit.batch ? prepareEntry(one, one.unit, batch) : undefined;
      runs.push(taken(one, isSteps(outcome) ? yield* outcome : outcome, cell, batch, failures));
    } else batch.state.measures[one.id] = absent(batch);
  }
  return runs;
}

/** The column of a measure that is not in the run, or could not be prepared. */
const absent = ({ candidates }: Batch): Float64Array => new Float64Array(candidates.length).fill(Number.NaN);

/** Takes a measure of every candidate. */
function taken(
  { id, unit }: CompiledMeasure,
  failed: Unprepared | undefined,
  cell: Cell,
  batch: Batch,
  failures: Failures,
): MeasureRun {
  const { candidates, state } = batch;
  if (failed) {
    state.measures[id] = absent(batch);
    failures.addUnprepared(id, 'measure', failed.cause);
    return { id, score: undefined, cause: failed.cause };
  }
  cell.state = state;
  const score = unit.scoreIn(state);
  const column = new Float64Array(candidates.length);
  const fail = (error: unknown): void => failures.add(id, 'measure', error);
  for (let row = 0; row < column.length; row++) column[row] = readMeasure(score, candidates[row], row, fail);
  state.measures[id] = column;
  return { id, score, cause: undefined };
}
