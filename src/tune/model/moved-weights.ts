import type { Moves } from '../fit/coordinate-ascent.js';
import type { RowSums, Weighing, WeightMove } from './weighing.js';

/**
 * Measures weights of which one at a time is another one. What a weight adds to each row is all that is summed anew:
 * O(rows) a move, whatever the number of scorers.
 *
 * Combined scores are compared in single precision: what is taken from a sum leaves a rounding error, which must not
 * decide between rows that are equal.
 */
export class MovedWeights implements Moves {
  readonly #totals: Float64Array;
  /** Whether a score is infinite, as the logarithm of 0 is: nothing can be taken from such a sum. */
  readonly #isInfinite: boolean;
  #weights: Float64Array = new Float64Array();
  #sums: RowSums | undefined;

  /** @param valueOf the measure of the combined scores of these rows */
  constructor(
    private readonly weighing: Weighing,
    private readonly columns: readonly Float64Array[],
    private readonly rows: Int32Array,
    private readonly valueOf: (totals: Float64Array) => number,
  ) {
    this.#totals = new Float64Array(weighing.rows);
    this.#isInfinite = columns.some((column) =>
      rows.some((row) => Math.abs(column[row]!) === Number.POSITIVE_INFINITY),
    );
  }

  from(weights: Float64Array): number {
    this.#weights = weights.slice();
    this.#sums = this.#isInfinite ? undefined : this.weighing.sums({ weights, columns: this.columns }, this.rows);
    return this.#whole(weights);
  }

  moved(scorer: number, to: number): number {
    if (!this.#sums) return this.#whole(this.#weights.with(scorer, to));
    this.weighing.totalsMoved(this.#sums, this.rows, this.#move(scorer, to), this.#totals);
    return this.#value();
  }

  keep(scorer: number, to: number): void {
    if (this.#sums) this.weighing.moveSums(this.#sums, this.rows, this.#move(scorer, to));
    this.#weights[scorer] = to;
  }

  #move(scorer: number, to: number): WeightMove {
    return { scorer, column: this.columns[scorer]!, from: this.#weights[scorer]!, to };
  }

  #whole(weights: Float64Array): number {
    this.weighing.totals({ weights, columns: this.columns }, this.rows, this.#totals);
    return this.#value();
  }

  #value(): number {
    for (const row of this.rows) this.#totals[row] = Math.fround(this.#totals[row]!);
    return this.valueOf(this.#totals);
  }
}
