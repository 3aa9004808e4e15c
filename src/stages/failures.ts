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
  /** Made with the first: most runs have none. */
  #byEntry: Map<string, { -readonly [Key in keyof Degraded]: Degraded[Key] }> | undefined;

  add(entry: string, stage: string, error: unknown, instead: Degraded['instead'] = 'absent'): void {
    const key = `${stage} ${entry}`;
    this.#byEntry ??= new Map();
    const known = this.#byEntry.get(key);
    if (known) known.count += 1;
    else this.#byEntry.set(key, { entry, stage, cause: causeOf(error), count: 1, instead });
  }

  /** An entry that could not be prepared: once a run, in however many parts its candidates came. */
  addUnprepared(entry: string, stage: string, error: unknown, instead: Degraded['instead'] = 'absent'): void {
    const key = `${stage} ${entry} unprepared`;
    this.#byEntry ??= new Map();
    if (!this.#byEntry.has(key)) this.#byEntry.set(key, { entry, stage, cause: causeOf(error), count: 1, instead });
  }

  list(): readonly Degraded[] {
    return [...(this.#byEntry?.values() ?? [])].map((failure) => Object.freeze({ ...failure }));
  }
}
