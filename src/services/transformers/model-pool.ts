import { toError } from '../../diagnostics/index.js';
import type { Clock } from '../clock.js';
import type { ModelSource } from './model-source.js';

/** The milliseconds of silence from the network after which a load fails, where a profile says nothing. */
export const DEFAULT_IDLE_TIMEOUT = 5000;

/** How long a failed load is not retried: a run should not wait for a hub that the last one waited for. */
const RETRY_AFTER = 60_000;

/** One model of a pool. */
export interface PooledModel<M> {
  /** Why the last load failed, while that is recent. */
  failure(): Error | undefined;
  /** The model, which the first caller loads; rejects with the last failure while that is recent. */
  load(): Promise<M>;
}

/** The models of one kind, each loaded once by whoever asks first. */
export class ModelPool<M> {
  readonly #failures = new Map<string, { readonly error: Error; readonly until: number }>();

  /**
   * @param loaded the models of this process, which pipelines share; a failed load is removed
   * @param load   loads one; it fails when the network is silent for so many milliseconds
   */
  constructor(
    private readonly loaded: Map<string, Promise<M>>,
    private readonly clock: Clock,
    private readonly load: (source: ModelSource, idleTimeoutMs: number) => Promise<M>,
  ) {}

  /** The model of a source. Nothing is loaded yet. */
  model(source: ModelSource, idleTimeoutMs: number): PooledModel<M> {
    const key = JSON.stringify(source);
    return { failure: () => this.#failure(key), load: () => this.#load(key, source, idleTimeoutMs) };
  }

  #failure(key: string): Error | undefined {
    const failure = this.#failures.get(key);
    return failure !== undefined && this.clock.now() < failure.until ? failure.error : undefined;
  }

  async #load(key: string, source: ModelSource, idleTimeoutMs: number): Promise<M> {
    const failure = this.#failure(key);
    if (failure !== undefined) throw failure;
    let model = this.loaded.get(key);
    if (model === undefined) {
      model = this.load(source, idleTimeoutMs);
      this.loaded.set(key, model);
    }
    try {
      return await model;
    } catch (error) {
      if (this.loaded.get(key) === model) this.loaded.delete(key);
      this.#failures.set(key, { error: toError(error), until: this.clock.now() + RETRY_AFTER });
      throw error;
    }
  }
}
