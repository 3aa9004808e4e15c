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
  const measuring = new Measuring(cell, batch, failures);
  return measures.some(({ unit }) => unit.batch) ? measuring.inSteps(measures) : measuring.atOnce(measures);
}

/** The measures of one run. */
class Measuring {
  readonly #runs: MeasureRun[] = [];

  constructor(
    private readonly cell: Cell,
    private readonly batch: Batch,
    private readonly failures: Failures,
  ) {}

  atOnce(measures: readonly CompiledMeasure[]): readonly MeasureRun[] {
    for (const one of measures) this.#take(one, this.#begin(one), undefined);
    return this.#runs;
  }

  *inSteps(measures: readonly CompiledMeasure[]): Steps<readonly MeasureRun[]> {
    for (const one of measures) {
      const inRun = this.#begin(one);
      const outcome = inRun && one.unit.batch ? prepareEntry(one, one.unit, this.batch) : undefined;
      this.#take(one, inRun, isSteps(outcome) ? yield* outcome : outcome);
    }
    return this.#runs;
  }

  /** Whether a measure is in the run. */
  #begin(one: CompiledMeasure): boolean {
    this.cell.state = this.batch.state;
    return one.when();
  }

  /** Takes the measure of every candidate, where it is in the run and could be prepared. */
  #take({ id, unit }: CompiledMeasure, inRun: boolean, failed: Unprepared | undefined): void {
    const { cell, failures } = this;
    const { candidates, state } = this.batch;
    const column = new Float64Array(candidates.length);
    if (failed || !inRun) column.fill(Number.NaN);
    if (failed) {
      this.#runs.push({ id, score: undefined, cause: failed.cause });
      failures.addUnprepared(id, 'measure', failed.cause);
    } else if (inRun) {
      cell.state = state;
      const score = unit.scoreIn(state);
      this.#runs.push({ id, score, cause: undefined });
      const fail = (error: unknown): void => failures.add(id, 'measure', error);
      for (let row = 0; row < column.length; row++) column[row] = readMeasure(score, candidates[row], row, fail);
    }
    state.measures[id] = column;
  }
}
