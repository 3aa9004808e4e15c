/** The steps that can be taken back, and those that were. */
export class Undo<T> {
  readonly #past: T[] = [];
  readonly #future: T[] = [];

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Remembers what a step leaves: what was taken back before is gone. */
  push(left: T): void {
    this.#past.push(left);
    this.#future.length = 0;
  }

  /** What was before the last step; undefined where there was none. */
  undo(now: T): T | undefined {
    return Undo.#step(this.#past, this.#future, now);
  }

  /** What was taken back last; undefined where nothing was. */
  redo(now: T): T | undefined {
    return Undo.#step(this.#future, this.#past, now);
  }

  static #step<T>(from: T[], to: T[], now: T): T | undefined {
    let next = from.pop();
    while (next === now) next = from.pop(); // a step that failed changed nothing
    if (next !== undefined) to.push(now);
    return next;
  }
}
