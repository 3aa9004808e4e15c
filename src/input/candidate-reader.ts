import { type Problem, type SourceFile, toAssizeError } from '../diagnostics/index.js';
import type { TextInput } from './line-blocks.js';

/**
 * Reads the candidates of one format, a batch at a time: a step of an asynchronous generator costs as much as parsing
 * a row. Good rows are yielded, bad ones are added to the problems.
 *
 * @param name the name of the input in problems: its path, or `stdin`
 */
export type CandidateReader = (
  input: TextInput,
  name: string,
  problems: RowProblems,
) => AsyncIterable<readonly object[]>;

/** What is wrong with a row; its place is where the row starts, when not given. */
export type RowProblem = Omit<Problem, 'code'>;

/** How many bad rows are described. A file of the wrong kind has one in every line. */
const MAX_DESCRIBED = 20;

/**
 * After how many bad rows an input is not read further. To find that a line is not JSON costs fifty times as much as to
 * skip a blank one, and a file of the wrong kind has nothing but such lines.
 */
export const MAX_BAD_ROWS = 1000;

/** Problems of rows: the first ones described in full, the rest counted. */
export class RowProblems {
  readonly #described: Problem[] = [];
  #more: Problem | undefined;
  #moreCount = 0;

  /** @param most how many bad rows there may be; the next one ends the reading */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  /**
   * Adds a problem of a row.
   *
   * @param offset   where the row starts
   * @param describe called only for the first rows
   * @throws AssizeError with all problems if this row is the last that may be bad
   */
  add(source: SourceFile, offset: number, describe: () => RowProblem): void {
    if (this.#described.length < MAX_DESCRIBED) {
      this.#described.push({ place: source.placeAt(offset), ...describe(), code: 'ASZ103' });
    } else {
      this.#moreCount += 1;
      this.#more ??= { code: 'ASZ103', message: '', place: source.placeAt(offset) };
    }
    if (this.#isFull) this.throwIfAny();
  }

  get #isFull(): boolean {
    return this.#described.length + this.#moreCount >= this.most;
  }

  /** All of them. */
  get all(): readonly Problem[] {
    const others = this.#moreCount > 1 ? ` and ${this.#moreCount - 1} more` : '';
    const end = this.#isFull ? '; the rows after them were not read' : '';
    const more = this.#more ? [{ ...this.#more, message: `this row${others} cannot be read${end}` }] : [];
    return [...this.#described, ...more];
  }

  /** @throws AssizeError with all of them, if there are any */
  throwIfAny(): void {
    const { all } = this;
    if (all.length > 0) throw toAssizeError(all);
  }
}

/** A value that is no candidate, in words. */
export function notAnObject(value: unknown, expected = 'an object'): RowProblem {
  const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  return { message: `found ${kind}, expected ${expected}` };
}
