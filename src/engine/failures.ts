import { toAssizeError, type AssizeError, type Problem, thrownText } from '../base/index.js';
import type { Expression } from '../expression/index.js';
import type { Profile, ProfileLocation, Use } from '../profile/index.js';
import type { Refusal } from './kernel/veto-loop.js';
import type { Pending } from './tasks.js';

/** A failure message and how often it occurred. */
export interface FailureCause {
  readonly cause: string;
  readonly count: number;
}

/** The maximum number of counted messages of one entry. Limited, because messages may contain values of candidates. */
const MAX_CAUSES = 5;

/** A failure that did not fail the run. */
export interface Degraded {
  /** The entry's id. */
  readonly entry: string;
  readonly stage: string;
  /** The message of the first failure. */
  readonly cause: string;
  /** The first different messages with their counts, the most frequent first; missing if there is only one. */
  readonly causes?: readonly FailureCause[];
  /** The number of candidates: all of them if the entry could not be prepared; 1 for a signal or a report. */
  readonly count: number;
  /** The effect of its rule: a number that replaced the value, `absent`, or what happened to the candidate. */
  readonly instead: number | 'absent' | 'refused' | 'passed';
}

export const causeOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || error.name
    : typeof error === 'string'
      ? error
      : `it threw ${thrownText(error)}`;

/** The effect of an entry's `on_error`. */
export const replacementOf = (rule: number | 'refuse' | 'skip' | 'pass' | 'fail'): Degraded['instead'] =>
  typeof rule === 'number' ? rule : rule === 'skip' ? 'absent' : rule === 'pass' ? 'passed' : 'refused';

/** A failure while it is counted. Plain data. */
export interface CountedFailure {
  readonly failure: Degraded;
  /** Whether the entry could not be prepared. Otherwise, it failed on candidates. */
  readonly unprepared: boolean;
  count: number;
  /** The counts of the first messages; undefined if the entry could not be prepared, which has one message. */
  readonly causes: Map<string, number> | undefined;
}

/** The failures of a run, counted by entry and stage, in order of their first occurrence. */
export class Failures {
  /** A list, because there are few. */
  readonly #entries: CountedFailure[] = [];

  /** @param maxCauses the maximum number of different messages of one entry that are counted */
  constructor(private readonly maxCauses = MAX_CAUSES) {}

  /** Counts a failure of an entry on a candidate. */
  add(entry: string, stage: string, error: unknown, instead: Degraded['instead'] = 'absent'): void {
    const counted = this.#counted(entry, stage, error, instead, false);
    counted.count += 1;
    this.#countCause(counted, causeOf(error), 1);
  }

  /** Counts an entry that could not be prepared for some candidates. A run in parts adds up the counts. */
  addUnprepared(
    entry: string,
    stage: string,
    error: unknown,
    candidates: number,
    instead: Degraded['instead'] = 'absent',
  ): void {
    this.#counted(entry, stage, error, instead, true).count += candidates;
  }

  /** All failures with their counts, for `addAll`. */
  get entries(): readonly CountedFailure[] {
    return this.#entries;
  }

  /** Adds the failures of a part, such as one that another thread evaluated. */
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

/**
 * Thrown to refuse the current candidate, possibly from deep inside an entry. It has no stack trace: nothing has failed,
 * and capturing the stack costs several times as much as the rest of the refusal.
 */
export class CandidateRefused implements Error {
  readonly name = 'CandidateRefused';

  constructor(
    /** The entry that refuses. */
    readonly by: string,
    readonly refusal: Refusal,
    /** The error, if something failed. */
    readonly failure?: unknown,
  ) {}

  get message(): string {
    return `refused by ${this.by}`;
  }
}
Object.setPrototypeOf(CandidateRefused.prototype, Error.prototype);

/** Thrown to fail the run, if an entry's rule is `fail`. */
export class RunFailed extends Error {
  constructor(
    readonly entry: string,
    readonly stage: string,
    readonly failure: unknown,
    /** The position of the candidate, if the failure concerns one. */
    readonly index?: number,
  ) {
    super(`entry ${entry} failed`);
  }
}

/** Fails the run. If an inner entry already did so, rethrows its error. */
export const failRun = (entry: string, stage: string, cause: unknown, index?: number): never => {
  throw cause instanceof RunFailed ? cause : new RunFailed(entry, stage, cause, index);
};

/** Does work. An error fails the run and names the entry. */
export function orFailRun<R>(entry: string, stage: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    return failRun(entry, stage, error);
  }
}

/** The location of an entry in the profile, by its stage and id. */
export function entryLocation(profile: Profile, stage: string, entry: string): ProfileLocation | undefined {
  const { signals, strategies, vetoes, measures, stats, scorers, select, reports } = profile;
  if (stage === 'diversify' || stage === 'pack' || stage === 'place') return select[stage];
  if (stage === 'select') return locationOf(entry, profile.candidate.pinned, select);
  const entries = new Map<string, readonly (ProfileLocation & { readonly id: string })[]>([
    ['signals', signals],
    ['generate', strategies],
    ['veto', vetoes],
    ['measure', [...measures, ...stats]],
    ['score', scorers],
    ['fallback', strategies],
    ['report', reports],
  ]);
  return entries.get(stage)?.find(({ id }) => id === entry);
}

/** The location of an expression of the select stage: `pinned`, `duplicates` or one of `ties`. */
function locationOf(
  what: string,
  pinned: Expression | undefined,
  { duplicates, ties }: Profile['select'],
): ProfileLocation | undefined {
  const [path, expression] =
    what === 'pinned'
      ? ['candidate.pinned', pinned]
      : what === 'duplicates'
        ? ['select.duplicates', duplicates]
        : [`select.${what}`, ties?.find((_, n) => what === tieName(n))];
  return expression && { path, place: expression.place };
}

/** The name of one of the expressions in `select.ties`. */
export const tieName = (n: number): string => `ties[${n}]`;

/** A synchronous method and its asynchronous counterpart. */
export type SyncCall =
  | { readonly call: 'rankSync'; readonly instead: 'rank' }
  | { readonly call: 'scoreSync'; readonly instead: 'score' }
  | { readonly call: 'reweigh'; readonly instead: 'whatIf' };

const problem = (
  { call, instead }: SyncCall,
  what: string,
  why: string,
  location: ProfileLocation | undefined,
): Problem => ({
  code: 'ASZ516',
  message: `${call} is synchronous, but ${what} is not: ${why}`,
  ...(location && { path: location.path, place: location.place }),
  hint: `await ${instead}(), which returns the same result`,
});

/** The error of a synchronous run that would have to wait. */
export function requiresAsync(profile: Profile, how: SyncCall, { stage, entry }: Pending): AssizeError {
  const what = `the ${stage} entry ${entry}`;
  return toAssizeError([problem(how, what, 'it returned a promise', entryLocation(profile, stage, entry))]);
}

/**
 * Rejects, before a synchronous run starts, a profile whose entries always wait. An entry that waits only sometimes, because
 * of its `when` or because its method is not declared `async`, is detected when it waits.
 *
 * @throws AssizeError that names every entry that waits
 */
export function checkSync(profile: Profile, how: SyncCall): void {
  const { signals, vetoes, measures, scorers, reports, select } = profile;
  const perCandidate = [...vetoes, ...measures, ...scorers];
  const problems = perCandidate.flatMap(({ id, memory }) =>
    memory ? problem(how, `the memory of ${id}`, 'it is stored in a file', memory) : [],
  );
  const entries = [...signals, ...perCandidate, ...(how.call === 'rankSync' ? reports : [])];
  for (const { id, use, when, path, place } of entries) {
    if (when === undefined && surelyWaits(use)) problems.push(problem(how, `entry ${id}`, ASYNC, { path, place }));
  }
  for (const one of how.call === 'rankSync' ? [select.diversify, select.pack, select.place] : []) {
    if (one && surelyWaits(one.use)) problems.push(problem(how, `the class ${one.use.name}`, ASYNC, one));
  }
  if (problems.length > 0) throw toAssizeError(problems);
}

const ASYNC = 'its prepare is an async function';

/** Whether a use, or one inside it, always returns a promise. */
export function surelyWaits(use: Use): boolean {
  if (use.kind === 'expr') return false;
  const method: unknown = Reflect.get(use.unit.prototype, 'compile') ?? Reflect.get(use.unit.prototype, 'prepare');
  const isAsync = typeof method === 'function' && Reflect.get(method, Symbol.toStringTag) === 'AsyncFunction';
  return isAsync || [...use.children.values()].some((child) => surelyWaits(child.use));
}

/** The error of a synchronous run that would have to wait for the memory of another run. */
export const memoryBusy = (profile: Profile, { call, instead }: SyncCall): AssizeError =>
  toAssizeError([
    {
      code: 'ASZ517',
      message: `${call} cannot start: profile ${profile.name} has a memory, and another run is still updating it`,
      hint: `wait for that run first, or await ${instead}(), which waits for the other run`,
    },
  ]);
