import type { Score } from '../../../contract/index.js';
import type { Kept, ScoresOfCandidates } from './types.js';

/** What one scorer gave, by row: it is called once for each, however often its score is read. */
export class KeptScores {
  /** NaN where it was not called, or gave something else than a number. */
  readonly #numbers: Float64Array;
  readonly #others = new Map<number, Kept>();

  /**
   * @param score  the unit's function
   * @param entry  the entry's id
   * @param stream where the scores of a stream's candidates are: those that are retained are scored again, as a set
   */
  constructor(
    rows: number,
    private readonly score: Score<unknown>,
    private readonly entry: string,
    private readonly stream?: ScoresOfCandidates,
  ) {
    this.#numbers = new Float64Array(rows).fill(Number.NaN);
  }

  /** The unit's function, but for an explanation called once for each row. */
  readonly raw: Score<unknown> = (candidate, row, note) => {
    if (note) return this.score(candidate, row, note);
    const number = this.#numbers[row];
    if (number !== undefined && !Number.isNaN(number)) return number;
    const kept = this.#others.get(row) ?? this.#call(candidate, row);
    if ('error' in kept) throw kept.error;
    return kept.value;
  };

  #call(candidate: unknown, row: number): Kept {
    const known = this.#ofStream(candidate);
    let kept = known?.get(this.entry);
    if (!kept) {
      try {
        kept = { value: this.score(candidate, row) };
      } catch (error) {
        kept = { error };
      }
      known?.set(this.entry, kept);
    }
    if ('value' in kept && typeof kept.value === 'number' && !Number.isNaN(kept.value)) this.#numbers[row] = kept.value;
    else this.#others.set(row, kept);
    return kept;
  }

  #ofStream(candidate: unknown): Map<string, Kept> | undefined {
    if (!this.stream || typeof candidate !== 'object' || candidate === null) return undefined;
    let known = this.stream.get(candidate);
    if (!known) this.stream.set(candidate, (known = new Map()));
    return known;
  }
}
