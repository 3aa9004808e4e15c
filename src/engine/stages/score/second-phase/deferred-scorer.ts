import type { Score } from '../../../../contract/index.js';
import { itemsAt } from '../../../kernel/run-buffers.js';
import { prepareEntry } from '../../../prepare-entry.js';
import type { CompiledScorer, CurrentRun, PrepareFailure, PrepareInput, RunContext } from '../../../run-context.js';
import { isTask, type Task } from '../../../task.js';

/** What came of asking late scorers about some rows. */
export interface DeferredScores {
  /** By row: the most that it can come to, or what it comes to without them. */
  readonly upperBounds: Float64Array;
  /** By row: whether nothing is left to ask about it. */
  readonly done: Uint8Array;
  /** The score that the last of the best has; −Infinity where there are fewer, or nobody looked. */
  readonly minCompetitiveScore: number;
}

/** A late scorer that could not be prepared, and why. */
export interface DeferredPrepareFailure extends PrepareFailure {
  readonly scorer: DeferredScorer;
}

/** What it was prepared with on some of the rows. */
interface Part {
  readonly state: RunContext;
  readonly score: Score<unknown>;
}

/**
 * A scorer that is asked late, about the rows that are worth it: prepared on one part of them after another. Its score
 * is of rows as every scorer's is, and finds the part that a row was in.
 */
export class DeferredScorer {
  /** By row: the number of its part, from 1 on; 0 where it was not asked. */
  readonly #part: Int32Array;
  /** By row: its position in that part. */
  readonly #index: Int32Array;
  readonly #parts: Part[] = [];
  /** By row what one that prepares nothing said, because it is expensive to ask twice: a number, or what else. */
  readonly #numbers: Float64Array;
  readonly #others = new Map<number, { readonly value: number | undefined } | { readonly error: unknown }>();
  /** About how many rows it was asked. */
  count = 0;

  /** @param batch the kept candidates, by row */
  constructor(
    readonly scorer: CompiledScorer,
    private readonly cell: CurrentRun,
    private readonly batch: PrepareInput,
    rows: number,
  ) {
    this.#part = new Int32Array(rows);
    this.#index = new Int32Array(rows);
    this.#numbers = new Float64Array(scorer.unit.prepares ? 0 : rows).fill(Number.NaN);
  }

  readonly asked = (row: number): boolean => this.#part[row] !== 0;

  readonly raw: Score<unknown> = (candidate, row, note) => {
    const part = this.#parts[this.#part[row]! - 1];
    if (!part) throw new Error(`${this.scorer.entry.id} was not asked about row ${row}`);
    if (this.scorer.unit.prepares) return this.#inPart(part, candidate, this.#index[row]!, note);
    return note ? part.score(candidate, row, note) : this.#once(part, candidate, row);
  };

  /**
   * Asks it about rows, in the order of the input.
   *
   * @returns what went wrong where it could not be prepared
   */
  *ask(rows: Int32Array): Task<PrepareFailure | undefined> {
    if (rows.length === 0) return undefined;
    this.count += rows.length;
    const { scorer, batch } = this;
    const { entry, unit } = scorer;
    const context = unit.prepares ? contextOfRows(batch.context, rows) : batch.context;
    if (unit.prepares) {
      const candidates = itemsAt(batch.candidates, rows);
      const { abort, updates } = batch;
      const preparing = prepareEntry(entry, unit, { candidates, context, abort, updates });
      const failure = isTask(preparing) ? yield* preparing : preparing;
      if (failure) return failure;
    }
    const part = this.#parts.push({ state: context, score: unit.scoreIn(context) });
    for (const [index, row] of rows.entries()) {
      this.#part[row] = part;
      this.#index[row] = index;
    }
    return undefined;
  }

  /** What is inside an entry reads the run of the part that it was prepared in. */
  #inPart({ state, score }: Part, candidate: unknown, index: number, note: Parameters<Score<unknown>>[2]) {
    const { cell } = this;
    const whole = cell.context;
    cell.context = state;
    try {
      return score(candidate, index, note);
    } finally {
      cell.context = whole;
    }
  }

  #once({ score }: Part, candidate: unknown, row: number): number | undefined {
    const number = this.#numbers[row]!;
    if (!Number.isNaN(number)) return number;
    let said = this.#others.get(row);
    if (!said) {
      try {
        said = { value: score(candidate, row) };
      } catch (error) {
        said = { error };
      }
      if ('value' in said && typeof said.value === 'number') this.#numbers[row] = said.value;
      if (Number.isNaN(this.#numbers[row])) this.#others.set(row, said);
    }
    if ('error' in said) throw said.error;
    return said.value;
  }
}

/** The run as scorers see it that are prepared on some rows: measures are by position among these. */
function contextOfRows({ now, context, signals, measures }: RunContext, rows: Int32Array): RunContext {
  const some = Object.create(null) as Record<string, Float64Array>;
  for (const [id, column] of Object.entries(measures)) some[id] = Float64Array.from(rows, (row) => column[row]!);
  const counts = { generated: 0, vetoed: 0, failed: 0, strategies: [] };
  return { now, context, signals, measures: some, prepared: [], scores: [], values: [], score: 0, counts };
}
