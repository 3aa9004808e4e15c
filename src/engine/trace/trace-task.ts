import type { TracedWork, TraceMessages, Tracer } from '../../contract/index.js';
import { isTask, type MaybeAsync, type Pending, type Task } from '../tasks/task.js';

/**
 * Does work as a piece that is followed, whether or not it has to wait: each of its steps in the piece's own asynchronous
 * context. Its first step is done at once.
 *
 * @param failureOf the failure that a result is, where it is one
 */
export function traceTask<Kind extends keyof TraceMessages, R>(
  tracer: Tracer,
  kind: Kind,
  message: TraceMessages[Kind],
  work: () => MaybeAsync<R>,
  failureOf: (result: R) => { readonly error: unknown } | undefined = () => undefined,
): MaybeAsync<R> {
  return tracer.begin(kind, message, (piece) => {
    const finish = (result: R): R => {
      piece.end(failureOf(result));
      return result;
    };
    try {
      const result = work();
      if (!isTask(result)) return finish(result);
      const first = result.next();
      if (first.done) return finish(first.value);
      piece.wait();
      return otherSteps(piece, result, first, finish);
    } catch (error) {
      piece.end({ error });
      throw error;
    }
  });
}

/** The steps of a task after its first, which has to wait. */
function* otherSteps<R>(
  piece: TracedWork,
  task: Task<R>,
  first: IteratorResult<Pending, R>,
  finish: (result: R) => R,
): Task<R> {
  let step = first;
  let isOver = false;
  try {
    while (!step.done) {
      yield step.value;
      step = piece.within(() => task.next());
    }
    isOver = true;
    return finish(step.value);
  } catch (error) {
    isOver = true;
    piece.end({ error });
    throw error;
  } finally {
    if (!isOver) abandon(piece, task); // by runSync, which may not wait
  }
}

function abandon<R>(piece: TracedWork, task: Task<R>): void {
  const abandoned: Iterator<unknown, R, void> = task;
  abandoned.return?.();
  piece.end({ error: new Error('it had to wait, and was called synchronously') });
}
