import type { StageMessage, TracedStage, TracedWork, TraceMessages, Tracer } from '../sdk/index.js';
import { isTask, type MaybeAsync, type Pending, type Task } from './tasks.js';

/** Publishes one run to its subscribers. A run without subscribers has no trace; this is checked once per run. */
export class RunTrace {
  /** The current stage. Stages run one after the other. */
  #stage: TracedStage = 'signals';

  constructor(
    private readonly tracer: Tracer,
    private readonly profile: string,
  ) {}

  /** Runs a stage. */
  stage(stage: Omit<StageMessage, 'profile'>, work: () => MaybeAsync<void>): MaybeAsync<void> {
    this.#stage = stage.stage;
    return traceTask(this.tracer, 'stage', { profile: this.profile, ...stage }, work);
  }

  /** Prepares an entry. A failure is published as such, even if the entry's rule then replaces it. */
  prepare<R extends { readonly cause: unknown } | undefined>(
    entry: string,
    candidates: number,
    work: () => MaybeAsync<R>,
  ): MaybeAsync<R> {
    return this.#prepare(entry, candidates, work, (failure) => failure && { error: failure.cause });
  }

  /** Computes an entry that concerns the whole run: a signal, a generator, a report. */
  compute<R>(entry: string, work: () => MaybeAsync<R>): MaybeAsync<R> {
    return this.#prepare(entry, undefined, work);
  }

  #prepare<R>(
    entry: string,
    candidates: number | undefined,
    work: () => MaybeAsync<R>,
    failureOf?: (result: R) => { readonly error: unknown } | undefined,
  ): MaybeAsync<R> {
    const message = { profile: this.profile, stage: this.#stage, entry, candidates };
    return traceTask(this.tracer, 'prepare', message, work, failureOf);
  }
}

/**
 * Does work as a traced piece, whether or not it waits. Each step runs in the piece's own asynchronous context. The first
 * step runs immediately.
 *
 * @param failureOf returns the failure that a result stands for, if any
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

/** The steps of a task after the first, which waits. */
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
    if (!isOver) abandon(piece, task); // by runSync, which does not wait
  }
}

function abandon<R>(piece: TracedWork, task: Task<R>): void {
  const abandoned: Iterator<unknown, R, void> = task;
  abandoned.return?.();
  piece.end({ error: new Error('it had to wait in a synchronous call') });
}
