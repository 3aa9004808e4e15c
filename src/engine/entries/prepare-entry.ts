import { NEVER, withDeadline } from '../tasks/limits.js';
import type { CompiledUnit, PrepareFailure, PrepareInput } from './compiled-unit.js';
import { isTask, type MaybeAsync, type Task } from '../tasks/task.js';

/** The entry of what is prepared. */
interface PreparedEntry {
  readonly id: string;
  readonly timeout: number | undefined;
}

/**
 * Prepares an entry under its time-out.
 *
 * @returns why it could not be prepared, where it could not
 * @throws the reason of an abort
 */
export function prepareEntry(
  entry: PreparedEntry,
  unit: CompiledUnit<unknown>,
  input: PrepareInput,
): MaybeAsync<PrepareFailure | undefined> {
  const { trace } = input.context;
  if (!trace) return prepare(entry, unit, input);
  return trace.prepare(entry.id, input.candidates.length, () => prepare(entry, unit, input));
}

function prepare(
  { timeout }: PreparedEntry,
  unit: CompiledUnit<unknown>,
  input: PrepareInput,
): MaybeAsync<PrepareFailure | undefined> {
  const { candidates, context, abort } = input;
  const own: PrepareInput = { candidates, context, abort, updates: [] }; // not spread: V8 would make a new shape each time
  if (timeout !== undefined) return finishPrepare(input, own, prepareWithDeadline(input, own, timeout, unit));
  try {
    if (abort !== NEVER) abort.throwIfAborted();
    const outcome = unit.prepare(own);
    return isTask(outcome) ? finishPrepare(input, own, outcome) : collectUpdates(input, own, outcome);
  } catch (cause) {
    return asPrepareFailure(input, cause);
  }
}

function* finishPrepare(
  input: PrepareInput,
  own: PrepareInput,
  task: Task<PrepareFailure | undefined>,
): Task<PrepareFailure | undefined> {
  try {
    return collectUpdates(input, own, yield* task);
  } catch (cause) {
    return asPrepareFailure(input, cause);
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

/** Keeps the next memories of an entry, unless it failed. */
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
