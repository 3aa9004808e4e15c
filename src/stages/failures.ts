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

/** What could not be prepared is counted apart. */
const UNPREPARED = ' unprepared';

/** The failures of a part of a run. */
export type FailuresOfPart = readonly (readonly [key: string, failure: Degraded])[];

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
    const key = `${stage} ${entry}${UNPREPARED}`;
    this.#byEntry ??= new Map();
    if (!this.#byEntry.has(key)) this.#byEntry.set(key, { entry, stage, cause: causeOf(error), count: 1, instead });
  }

  /** All of them as plain data, for `addAll`. */
  get all(): FailuresOfPart {
    return [...(this.#byEntry ?? [])];
  }

  /** Those of a part of the candidates that was judged elsewhere. */
  addAll(failures: FailuresOfPart): void {
    for (const [key, failure] of failures) {
      this.#byEntry ??= new Map();
      const known = this.#byEntry.get(key);
      if (!known) this.#byEntry.set(key, { ...failure });
      else if (!key.endsWith(UNPREPARED)) known.count += failure.count;
    }
  }

  list(): readonly Degraded[] {
    return [...(this.#byEntry?.values() ?? [])].map((failure) => Object.freeze({ ...failure }));
  }
}
