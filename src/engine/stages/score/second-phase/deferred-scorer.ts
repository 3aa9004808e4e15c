import type { Score } from '../../../../contract/index.js';
import type { PrepareFailure, PrepareInput } from '../../../entries/compiled-unit.js';
import { itemsAt } from '../../../kernel/run-buffers.js';
import { prepareEntry } from '../../../entries/prepare-entry.js';
import { contextOfRows } from '../../../entries/run-context.js';
import type { RunState } from '../../../run-state.js';
import { isTask, type Task } from '../../../tasks/task.js';
import { KeptScores } from '../kept-scores.js';
import type { CompiledScorer, SecondPhasePlan } from '../types.js';

/** What is known of the rows once deferred scorers have seen some of them. */
export interface DeferredScores {
  /** By row: its upper bound, or its score without them. */
  readonly upperBounds: Float64Array;
  /** By row: whether every scorer that should see it has. */
  readonly done: Uint8Array;
  /** The score of the last of the best; −Infinity where there are fewer, or after a rerank. */
  readonly minCompetitiveScore: number;
}

/** A deferred scorer that could not be prepared, and why. */
export interface DeferredPrepareFailure extends PrepareFailure {
  readonly scorer: DeferredScorer;
}

/** Rows that it was prepared for together. */
interface Batch {
  readonly score: Score<unknown>;
}

/** The deferred scorers of a run; none where there are no more rows than they should see. */
export function deferredScorers(run: RunState, { ask, top }: SecondPhasePlan): readonly DeferredScorer[] {
  const rows = run.kept.length;
  if (rows <= top) return [];
  return ask.flatMap((id) => {
    const scorer = run.plan.score.scorers.find(({ entry }) => entry.id === id);
    return scorer?.when() ? [new DeferredScorer(scorer, run, rows)] : [];
  });
}

/**
 * A scorer of the second phase: prepared for one batch of rows after another, only for those that are worth it. Its
 * score is by row as every scorer's, and finds the batch that a row was in.
 */
export class DeferredScorer {
  /** By row: the number of its batch, from 1 on; 0 where it has not seen the row. */
  readonly #batch: Int32Array;
  /** By row: its position in that batch. */
  readonly #index: Int32Array;
  readonly #batches: Batch[] = [];
  /** Of a scorer that prepares nothing, because it is expensive to compute twice. */
  readonly #kept: KeptScores | undefined;
  readonly #input: PrepareInput;
  /** How many rows it has seen. */
  count = 0;

  constructor(
    readonly scorer: CompiledScorer,
    private readonly run: RunState,
    rows: number,
  ) {
    this.#input = run.keptInput;
    this.#batch = new Int32Array(rows);
    this.#index = new Int32Array(rows);
    const { entry, unit } = scorer;
    this.#kept = unit.prepares ? undefined : new KeptScores(rows, unit.score, entry.id);
  }

  readonly asked = (row: number): boolean => this.#batch[row] !== 0;

  readonly raw: Score<unknown> = (candidate, row, note) => {
    const batch = this.#batches[this.#batch[row]! - 1];
    if (!batch) throw new Error(`${this.scorer.entry.id} was not asked about row ${row}`);
    return this.#kept ? this.#kept.raw(candidate, row, note) : batch.score(candidate, this.#index[row]!, note);
  };

  /**
   * Prepares it for rows, in the order of the input.
   *
   * @returns why it could not be prepared, where it could not
   */
  *ask(rows: Int32Array): Task<PrepareFailure | undefined> {
    if (rows.length === 0) return undefined;
    this.count += rows.length;
    const { current } = this.run.plan;
    const { entry, unit } = this.scorer;
    let { score } = unit;
    if (unit.prepares) {
      const context = contextOfRows(this.#input.context, rows);
      const candidates = itemsAt(this.#input.candidates, rows);
      const { abort, updates } = this.#input;
      const pending = prepareEntry(entry, unit, { candidates, context, abort, updates });
      const failure = isTask(pending) ? yield* pending : pending;
      if (failure) return failure;
      score = current.bind(context, unit.scoreIn(context)); // entries inside it read the context of the batch
    }
    const batch = this.#batches.push({ score });
    for (const [index, row] of rows.entries()) {
      this.#batch[row] = batch;
      this.#index[row] = index;
    }
    return undefined;
  }
}
