import type { StageMessage, TracedStage, Tracer } from '../../contract/index.js';
import type { MaybeAsync } from '../tasks/task.js';
import { traceTask } from './trace-task.js';

/** Publishes one run to its subscribers. A run without any has no trace, which it finds out once. */
export class RunTrace {
  /** The stage that is under way: they follow one another. */
  #stage: TracedStage = 'signals';

  constructor(
    private readonly tracer: Tracer,
    private readonly profile: string,
  ) {}

  /** Does a stage of the run. */
  stage(stage: Omit<StageMessage, 'profile'>, work: () => MaybeAsync<void>): MaybeAsync<void> {
    this.#stage = stage.stage;
    return traceTask(this.tracer, 'stage', { profile: this.profile, ...stage }, work);
  }

  /** Prepares an entry. One that fails ends as failed, whatever its rule then puts in its place. */
  prepare<R extends { readonly cause: unknown } | undefined>(
    entry: string,
    candidates: number,
    work: () => MaybeAsync<R>,
  ): MaybeAsync<R> {
    return this.#prepare(entry, candidates, work, (failure) => failure && { error: failure.cause });
  }

  /** Computes an entry of the run as a whole: a signal, a generator, a report. */
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
