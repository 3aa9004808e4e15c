import type { Place, Problem } from '../diagnostics/problem.js';

/** How many bad rows are described. A file of the wrong kind has one in every line. */
const MAX_DESCRIBED = 20;

/** What is wrong with rows: the first ones in full, the rest as a number. */
export class RowProblems {
  readonly #described: Problem[] = [];
  #next: Place | undefined;
  #more = 0;

  /**
   * @param place    where the row is
   * @param describe says what is wrong with it, and is asked only while it is shown
   */
  add(place: () => Place, describe: () => Omit<Problem, 'code'>): void {
    if (this.#described.length < MAX_DESCRIBED) this.#described.push({ ...describe(), code: 'ASZ103' });
    else if (this.#more++ === 0) this.#next = place();
  }

  get all(): readonly Problem[] {
    if (this.#more === 0) return this.#described;
    const others = this.#more === 1 ? '' : ` and ${this.#more - 1} more`;
    return [...this.#described, { code: 'ASZ103', message: `this row${others} cannot be read`, place: this.#next }];
  }
}
