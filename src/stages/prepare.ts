import { NEVER, withLimits } from './limits.js';
import { type Batch, batchOf, type Compiled, RunFailed, type Unprepared } from './plan.js';
import { isSteps, type Soon, type Steps } from './wait.js';

/** What is prepared. */
interface Prepares {
  readonly id: string;
  readonly timeout: number | undefined;
}

/**
 * Prepares an entry under its time-out.
 *
 * @returns what went wrong, where something did
 * @throws whatever stopped the run
 */
export function prepareEntry(
  { timeout }: Prepares,
  unit: Compiled<unknown>,
  batch: Batch,
): Soon<Unprepared | undefined> {
  const own = batchOf(batch, batch.candidates, []);
  if (timeout !== undefined) return ended(batch, own, limited(batch, own, timeout, unit));
  try {
    if (batch.abort !== NEVER) batch.abort.throwIfAborted();
    const outcome = unit.prepare(own);
    return isSteps(outcome) ? ended(batch, own, outcome) : learning(batch, own, outcome);
  } catch (cause) {
    return unprepared(batch, cause);
  }
}

function* ended(batch: Batch, own: Batch, steps: Steps<Unprepared | undefined>): Steps<Unprepared | undefined> {
  try {
    return learning(batch, own, yield* steps);
  } catch (cause) {
    return unprepared(batch, cause);
  }
}

const limited = ({ abort }: Batch, { candidates, state, learnt }: Batch, timeout: number, unit: Compiled<unknown>) =>
  withLimits(abort, timeout, function* (signal): Steps<Unprepared | undefined> {
    const outcome = unit.prepare({ candidates, state, abort: signal, learnt });
    return isSteps(outcome) ? yield* outcome : outcome;
  });

/** What an entry that failed has learnt is forgotten. */
function learning({ learnt }: Batch, own: Batch, outcome: Unprepared | undefined): Unprepared | undefined {
  if (!outcome && own.learnt.length > 0) learnt.push(...own.learnt);
  return outcome;
}

function unprepared({ abort }: Batch, cause: unknown): Unprepared {
  abort.throwIfAborted();
  return { cause };
}

/** What `fail` means. */
export const failRun = (entry: string, stage: string, cause: unknown, index?: number): never => {
  throw cause instanceof RunFailed ? cause : new RunFailed(entry, stage, cause, index);
};
