import type { Note, Score } from '../contract/index.js';
import type { Failures } from './failures.js';
import type { Batch, Cell, CompiledMeasure } from './plan.js';
import { prepareEntry } from './prepare.js';
import { isSteps, type Steps } from './wait.js';

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
export function* measure(
  measures: readonly CompiledMeasure[],
  cell: Cell,
  batch: Batch,
  failures: Failures,
): Steps<readonly MeasureRun[]> {
  const { candidates, state } = batch;
  const runs: MeasureRun[] = [];
  for (const one of measures) {
    const column = new Float64Array(candidates.length).fill(Number.NaN);
    cell.state = state;
    if (one.when()) {
      const outcome = one.unit.batch ? prepareEntry(one, one.unit, batch) : undefined;
      const failure = isSteps(outcome) ? yield* outcome : outcome;
      if (failure) {
        runs.push({ id: one.id, score: undefined, cause: failure.cause });
        failures.addUnprepared(one.id, 'measure', failure.cause);
      } else {
        cell.state = state;
        const score = one.unit.scoreIn(state);
        runs.push({ id: one.id, score, cause: undefined });
        const failed = (error: unknown): void => failures.add(one.id, 'measure', error);
        for (let row = 0; row < column.length; row++) column[row] = readMeasure(score, candidates[row], row, failed);
      }
    }
    state.measures[one.id] = column;
  }
  return runs;
}
