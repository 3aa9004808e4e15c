import {
  awaitPromise,
  chain,
  type Evaluation,
  evaluatePart,
  Failures,
  isPromise,
  isTask,
  type MaybeAsync,
  type MemoryUpdates,
  type RunQueue,
  startPart,
  type Task,
} from '../engine/index.js';
import { completePart, type StreamRun } from './stream-run.js';

/** How the wait for another run is reported. */
const MEMORIES = { entry: 'its memories', stage: 'memory' };

/**
 * The memories of a stream. Each chunk reads what the chunk before it has added, and is stored before its rows are returned.
 * Between two chunks, other runs may use the memories.
 */
export class StreamMemories {
  /** Without updates: the memories of this stream alone. */
  #own: ReadonlyMap<number, unknown> | undefined;

  /** @param updates whether the memories of the pipeline are updated */
  constructor(
    private readonly queue: RunQueue,
    private readonly updates: boolean,
  ) {}

  /** Evaluates a chunk when it is its turn. */
  evaluate(run: StreamRun, candidates: readonly unknown[], offset: number): Promise<Evaluation> {
    const work = (): MaybeAsync<Evaluation> => {
      const result = this.queue.enqueue(() => this.#released(run, candidates), run.abort);
      return isPromise(result) ? awaitPromise(MEMORIES, result) : result;
    };
    return completePart(run, work, candidates, offset);
  }

  *#released(run: StreamRun, candidates: readonly unknown[]): Task<Evaluation> {
    const { store } = run.plan.units.memories;
    try {
      const evaluation = this.#attempt(run, candidates);
      return isTask(evaluation) ? yield* evaluation : evaluation;
    } finally {
      const released = store.release();
      if (isTask(released)) yield* released;
    }
  }

  /** Evaluates a chunk; again, under the lock of the files, if another run has changed one in between. */
  #attempt(run: StreamRun, candidates: readonly unknown[]): MaybeAsync<Evaluation> {
    const { store } = run.plan.units.memories;
    return chain(this.#own ? undefined : store.refresh(this.updates), () => {
      const failures = new Failures();
      const updates: MemoryUpdates = [];
      const part = startPart(run, candidates, failures, undefined, updates);
      if (!this.updates) part.context.memories = this.#own ??= store.snapshot;
      return chain(evaluatePart(part), (evaluation): MaybeAsync<Evaluation> => {
        const done = (): Evaluation => {
          run.failures.addAll(failures.entries);
          return evaluation;
        };
        if (!this.updates) {
          this.#own = new Map([...(this.#own ?? []), ...updates]);
          return done();
        }
        run.abort.throwIfAborted();
        return chain(store.update(updates, run.abort), (stored) => (stored ? done() : this.#attempt(run, candidates)));
      });
    });
  }
}
