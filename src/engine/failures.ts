import { type AssizeError, type Problem, toAssizeError } from '../diagnostics/index.js';
import type { Expression } from '../expression/index.js';
import type { Profile, ProfileLocation, Use } from '../profile/index.js';
import type { Refusal } from './kernel/veto-loop.js';
import type { Pending } from './tasks.js';

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

/**
 * Refuses the candidate that is being scored. Thrown, because it may come from deep inside an entry. An error without a
 * stack: nothing has failed, and to record the stack costs several times as much as all the rest.
 */
export class CandidateRefused implements Error {
  readonly name = 'CandidateRefused';

  constructor(
    /** The entry that refuses. */
    readonly by: string,
    readonly refusal: Refusal,
    /** What was thrown, where something failed. */
    readonly failure?: unknown,
  ) {}

  get message(): string {
    return `refused by ${this.by}`;
  }
}
Object.setPrototypeOf(CandidateRefused.prototype, Error.prototype);

/** Fails the run: an entry's rule is `fail`. */
export class RunFailed extends Error {
  constructor(
    readonly entry: string,
    readonly stage: string,
    readonly failure: unknown,
    /** The position of the candidate, where it was about one. */
    readonly index?: number,
  ) {
    super(`entry ${entry} failed`);
  }
}

/** Fails the run, unless an entry inside has done so already. */
export const failRun = (entry: string, stage: string, cause: unknown, index?: number): never => {
  throw cause instanceof RunFailed ? cause : new RunFailed(entry, stage, cause, index);
};

/** Does work whose failure fails the run, naming the entry. */
export function orFailRun<R>(entry: string, stage: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    return failRun(entry, stage, error);
  }
}

/** The location of an entry in the profile, by its stage and id. */
export function entryLocation(profile: Profile, stage: string, entry: string): ProfileLocation | undefined {
  const { signals, strategies, vetoes, measures, scorers, select, reports } = profile;
  if (stage === 'diversify' || stage === 'pack' || stage === 'place') return select[stage];
  if (stage === 'select') return locationOf(entry, profile.candidate.pinned, select);
  const entries = new Map<string, readonly (ProfileLocation & { readonly id: string })[]>([
    ['signals', signals],
    ['generate', strategies],
    ['veto', vetoes],
    ['measure', measures],
    ['score', scorers],
    ['fallback', strategies],
    ['report', reports],
  ]);
  return entries.get(stage)?.find(({ id }) => id === entry);
}

/** The location of what selects: `pinned`, `duplicates`, `ties`. */
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

/** A call without a promise, and the one with. */
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
  message: `${call} does not wait, and ${what} does: ${why}`,
  ...(location && { path: location.path, place: location.place }),
  hint: `await ${instead}(), which gives the same once everything is there`,
});

/** The error of a run that must not wait and would have to. */
export function requiresAsync(profile: Profile, how: SyncCall, { stage, entry }: Pending): AssizeError {
  const what = `the ${stage} entry ${entry}`;
  return toAssizeError([problem(how, what, 'what it gave is a promise', entryLocation(profile, stage, entry))]);
}

/**
 * Refuses a profile whose runs surely wait, before anything runs. What only may wait, because its `when` decides or its
 * method is not declared `async`, is found when it does.
 *
 * @throws AssizeError naming every entry that waits
 */
export function checkSync(profile: Profile, how: SyncCall): void {
  const { signals, vetoes, measures, scorers, reports, select } = profile;
  const perCandidate = [...vetoes, ...measures, ...scorers];
  const problems = perCandidate.flatMap(({ id, memory }) =>
    memory ? problem(how, `the memory of ${id}`, 'it lives in a file', memory) : [],
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

/** Whether a use, or one inside it, surely gives a promise. */
export function surelyWaits(use: Use): boolean {
  if (use.kind === 'expr') return false;
  const method: unknown = Reflect.get(use.unit.prototype, 'compile') ?? Reflect.get(use.unit.prototype, 'prepare');
  const isAsync = typeof method === 'function' && Reflect.get(method, Symbol.toStringTag) === 'AsyncFunction';
  return isAsync || [...use.children.values()].some((child) => surelyWaits(child.use));
}

/** The error of a run that would have to begin with the memory of one that is under way. */
export const memoryBusy = (profile: Profile, { call, instead }: SyncCall): AssizeError =>
  toAssizeError([
    {
      code: 'ASZ517',
      message: `${call} cannot begin: profile ${profile.name} remembers, and a run that is under way has not learnt yet`,
      hint: `wait for that run first, or await ${instead}(), which waits for its turn`,
    },
  ]);
