import type { Refusal } from '../kernel/verdict.js';

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
