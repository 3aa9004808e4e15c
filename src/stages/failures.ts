/** Something that failed without failing the run. */
export interface Degraded {
  /** The entry's id. */
  readonly entry: string;
  readonly stage: string;
  /** What the first failure said. */
  readonly cause: string;
  /** On how many candidates; 1 where it concerns the run as a whole. */
  readonly count: number;
}

export const causeOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || error.name
    : typeof error === 'string'
      ? error
      : `it threw ${String(error)}`;

/** The failures of a run: counted by entry and stage, in the order in which they came. */
export class Failures {
  readonly #byEntry = new Map<string, { entry: string; stage: string; cause: string; count: number }>();

  add(entry: string, stage: string, error: unknown): void {
    const key = `${stage} ${entry}`;
    const known = this.#byEntry.get(key);
    if (known) known.count += 1;
    else this.#byEntry.set(key, { entry, stage, cause: causeOf(error), count: 1 });
  }

  list(): readonly Degraded[] {
    return [...this.#byEntry.values()].map((failure) => Object.freeze({ ...failure }));
  }
}
