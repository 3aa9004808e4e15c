import { NEVER, withDeadline } from './limits.js';
import { type CompiledUnit, type PrepareFailure, type PrepareInput, prepareInput, RunFailed } from './run-context.js';
import { isTask, type MaybeAsync, type Task } from './task.js';

/** What is prepared. */
interface PreparedEntry {
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
  { timeout }: PreparedEntry,
  unit: CompiledUnit<unknown>,
  batch: PrepareInput,
): MaybeAsync<PrepareFailure | undefined> {
  const own = prepareInput(batch, batch.candidates, []);
  if (timeout !== undefined) return finishPrepare(batch, own, prepareWithDeadline(batch, own, timeout, unit));
  try {
    if (batch.abort !== NEVER) batch.abort.throwIfAborted();
    const outcome = unit.prepare(own);
    return isTask(outcome) ? finishPrepare(batch, own, outcome) : collectUpdates(batch, own, outcome);
  } catch (cause) {
    return asPrepareFailure(batch, cause);
  }
}

function* finishPrepare(
  batch: PrepareInput,
  own: PrepareInput,
  steps: Task<PrepareFailure | undefined>,
): Task<PrepareFailure | undefined> {
  try {
    return collectUpdates(batch, own, yield* steps);
  } catch (cause) {
    return asPrepareFailure(batch, cause);
  }
}

const prepareWithDeadline = (
  { abort }: PrepareInput,
  { candidates, context, updates }: PrepareInput,
  timeout: number,
  unit: CompiledUnit<unknown>,
) =>
  withDeadline(abort, timeout, function* (signal): Task<PrepareFailure | undefined> {
    const outcome = unit.prepare({ candidates, context, abort: signal, updates });
    return isTask(outcome) ? yield* outcome : outcome;
  });

/** What an entry that failed has learnt is forgotten. */
function collectUpdates(
  { updates }: PrepareInput,
  own: PrepareInput,
  outcome: PrepareFailure | undefined,
): PrepareFailure | undefined {
  if (!outcome && own.updates.length > 0) updates.push(...own.updates);
  return outcome;
}

function asPrepareFailure({ abort }: PrepareInput, cause: unknown): PrepareFailure {
  abort.throwIfAborted();
  return { cause };
}

/** What `fail` means. */
export const failRun = (entry: string, stage: string, cause: unknown, index?: number): never => {
  throw cause instanceof RunFailed ? cause : new RunFailed(entry, stage, cause, index);
};
