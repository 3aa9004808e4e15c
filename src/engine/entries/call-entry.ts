import { callUnit } from '../tasks/limits.js';
import type { RunContext } from './run-context.js';
import { isTask, type PendingFor, type Task } from '../tasks/task.js';

/** Calls the unit of an entry of the run as a whole (signal, generator, report), under its time-out and the run's abort. */
export function* callEntry<R>(
  caller: PendingFor,
  { trace }: RunContext,
  abort: AbortSignal,
  timeout: number | undefined,
  call: (abort: AbortSignal) => R | PromiseLike<R>,
): Task<R> {
  const work = (): Task<R> => callUnit(caller, abort, timeout, call);
  const result = trace ? trace.compute(caller.entry, work) : work();
  return isTask(result) ? yield* result : result;
}
