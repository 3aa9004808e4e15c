/** A message of failures, and how often it came. */
export interface FailureCause {
  readonly cause: string;
  readonly count: number;
}

/** How many different messages of one entry are counted: each may name its candidate's value. */
const MAX_CAUSES = 5;

/** Something that failed without failing the run. */
export interface Degraded {
  /** The entry's id. */
  readonly entry: string;
  readonly stage: string;
  /** The message of the first failure. */
  readonly cause: string;
  /** Each message with how often it came, the most frequent first; missing where there is one. Of many different ones the first. */
  readonly causes?: readonly FailureCause[];
  /** On how many candidates: all that the entry was prepared for if it could not be prepared; 1 for a signal or a report. */
  readonly count: number;
  /** What its rule put in its place: a number, `absent` where it was left out, or what happened to the candidate. */
  readonly instead: number | 'absent' | 'refused' | 'passed';
}

export const causeOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || error.name
    : typeof error === 'string'
      ? error
      : `it threw ${String(error)}`;

/** What an entry's `on_error` puts in the place of its value. */
export const replacementOf = (rule: number | 'refuse' | 'skip' | 'pass' | 'fail'): Degraded['instead'] =>
  typeof rule === 'number' ? rule : rule === 'skip' ? 'absent' : rule === 'pass' ? 'passed' : 'refused';

/** A failure as it is counted. Plain data. */
export interface CountedFailure {
  readonly failure: Degraded;
  /** Whether the entry could not be prepared; else it failed on candidates. */
  readonly unprepared: boolean;
  count: number;
  /** By message how often it came, of the first messages; undefined for an entry that could not be prepared: it has one. */
  readonly causes: Map<string, number> | undefined;
}

/** The failures of a run: counted by entry and stage, in the order in which they came. */
export class Failures {
  /** Few: searched from the first. */
  readonly #entries: CountedFailure[] = [];

  /** @param maxCauses how many different messages of one entry are counted */
  constructor(private readonly maxCauses = MAX_CAUSES) {}

  /** An entry that failed on a candidate. */
  add(entry: string, stage: string, error: unknown, instead: Degraded['instead'] = 'absent'): void {
    const counted = this.#counted(entry, stage, error, instead, false);
    counted.count += 1;
    this.#countCause(counted, causeOf(error), 1);
  }

  /** An entry that could not be prepared, for so many candidates. A run that comes in parts adds up their counts. */
  addUnprepared(
    entry: string,
    stage: string,
    error: unknown,
    candidates: number,
    instead: Degraded['instead'] = 'absent',
  ): void {
    this.#counted(entry, stage, error, instead, true).count += candidates;
  }

  /** All of them as they are counted, for `addAll`. */
  get entries(): readonly CountedFailure[] {
    return this.#entries;
  }

  /** Adds the failures of a part that was evaluated elsewhere. */
  addAll(failures: readonly CountedFailure[]): void {
    for (const { failure, unprepared, count, causes } of failures) {
      const known = this.#known(failure.entry, failure.stage, unprepared);
      const own = known ?? countedFailure(failure, unprepared);
      if (!known) this.#entries.push(own);
      own.count += count;
      if (causes) for (const [cause, times] of causes) this.#countCause(own, cause, times);
    }
  }

  list(): readonly Degraded[] {
    return this.#entries.map(({ failure, count, causes }) =>
      Object.freeze({
        ...failure,
        count: Math.max(1, count),
        ...(causes && causes.size > 1 && { causes: listOf(causes) }),
      }),
    );
  }

  #counted(
    entry: string,
    stage: string,
    error: unknown,
    instead: Degraded['instead'],
    unprepared: boolean,
  ): CountedFailure {
    const known = this.#known(entry, stage, unprepared);
    if (known) return known;
    const made = countedFailure({ entry, stage, cause: causeOf(error), count: 0, instead }, unprepared);
    this.#entries.push(made);
    return made;
  }

  #countCause({ causes }: CountedFailure, cause: string, times: number): void {
    if (!causes) return;
    const before = causes.get(cause);
    if (before !== undefined || causes.size < this.maxCauses) causes.set(cause, (before ?? 0) + times);
  }

  #known(entry: string, stage: string, unprepared: boolean): CountedFailure | undefined {
    for (const known of this.#entries) {
      if (known.failure.entry === entry && known.failure.stage === stage && known.unprepared === unprepared)
        return known;
    }
    return undefined;
  }
}

const countedFailure = (failure: Degraded, unprepared: boolean): CountedFailure => ({
  failure,
  unprepared,
  count: 0,
  causes: unprepared ? undefined : new Map(),
});

const listOf = (causes: ReadonlyMap<string, number>): readonly FailureCause[] =>
  Object.freeze(
    Array.from(causes, ([cause, count]) => Object.freeze({ cause, count })).toSorted((a, b) => b.count - a.count),
  );
