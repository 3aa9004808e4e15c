/** Something that failed without failing the run. */
export interface Degraded {
  /** The entry's id. */
  readonly entry: string;
  readonly stage: string;
  /** What the first failure said. */
  readonly cause: string;
  /** On how many candidates; 1 where it concerns the run as a whole. */
  readonly count: number;
  /** What its rule put in its place: a number, `absent` where it was left out, or what became of the candidate. */
  readonly instead: number | 'absent' | 'refused' | 'passed';
}

export const causeOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || error.name
    : typeof error === 'string'
      ? error
      : `it threw ${String(error)}`;

/** What an entry's rule for failing puts in the place of its answer. */
export const insteadOf = (rule: number | 'refuse' | 'skip' | 'pass' | 'fail'): Degraded['instead'] =>
  typeof rule === 'number' ? rule : rule === 'skip' ? 'absent' : rule === 'pass' ? 'passed' : 'refused';

/** The failures of a run: counted by entry and stage, in the order in which they came. */
export class Failures {
  readonly #byEntry = new Map<string, { -readonly [Key in keyof Degraded]: Degraded[Key] }>();

  add(entry: string, stage: string, error: unknown, instead: Degraded['instead'] = 'absent'): void {
    const key = `${stage} ${entry}`;
    const known = this.#byEntry.get(key);
    if (known) known.count += 1;
    else this.#byEntry.set(key, { entry, stage, cause: causeOf(error), count: 1, instead });
  }

  /** Those of a part of the candidates that was judged elsewhere. */
  addAll(failures: readonly Degraded[]): void {
    for (const failure of failures) {
      const key = `${failure.stage} ${failure.entry}`;
      const known = this.#byEntry.get(key);
      if (known) known.count += failure.count;
      else this.#byEntry.set(key, { ...failure });
    }
  }

  list(): readonly Degraded[] {
    return [...this.#byEntry.values()].map((failure) => Object.freeze({ ...failure }));
  }
}
