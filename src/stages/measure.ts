import type { Score } from '../contract/index.js';
import type { Failures } from './failures.js';
import type { Batch, Cell, CompiledMeasure } from './plan.js';
import { prepareEntry } from './prepare.js';

/** A number, or NaN where the measure is absent or failed. */
function read(score: Score<unknown>, candidate: unknown, row: number, failed: (error: unknown) => void): number {
  try {
    const value = score(candidate, row);
    if (value === undefined || Number.isFinite(value)) return value ?? Number.NaN;
    failed(new RangeError(`it gave ${value}`));
  } catch (error) {
    failed(error);
  }
  return Number.NaN;
}

/** Fills the column of every measure, in order, so that a measure may read the earlier ones. */
export async function measure(
  measures: readonly CompiledMeasure[],
  cell: Cell,
  batch: Batch,
  failures: Failures,
): Promise<void> {
  const { candidates, state } = batch;
  for (const one of measures) {
    const column = new Float64Array(candidates.length).fill(Number.NaN);
    cell.state = state;
    if (one.when()) {
      const failure = one.unit.batch ? await prepareEntry(one, one.unit, batch) : undefined;
      if (failure) failures.add(one.id, 'measure', failure.cause);
      else {
        cell.state = state;
        const score = one.unit.scoreIn(state);
        const failed = (error: unknown): void => failures.add(one.id, 'measure', error);
        for (let row = 0; row < column.length; row++) column[row] = read(score, candidates[row], row, failed);
      }
    }
    state.measures[one.id] = column;
  }
}
