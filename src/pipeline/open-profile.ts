import type { CompiledProfile } from '../engine/index.js';
import { toAssizeError } from '../base/index.js';
import type { ProfileSource } from '../profile/index.js';
import { Pipeline } from './pipeline.js';

export type ProfileOrPipeline<T> = ProfileSource | Pipeline<T>;

/** A compiled profile with its source and options, so that threads and searches can load it again. */
export interface OpenProfile<O> {
  readonly compiled: CompiledProfile;
  readonly profile: ProfileSource;
  readonly options: O;
}

/** Remembers the source of each pipeline in this process. */
export class PipelineSources<O> {
  readonly #sources = new WeakMap<object, OpenProfile<O>>();

  createPipeline<T>(source: OpenProfile<O>): Pipeline<T> {
    const pipeline = new Pipeline<T>(source.compiled);
    this.#sources.set(pipeline, source);
    return pipeline;
  }

  /** @throws AssizeError (ASZ533) if the pipeline was created in another way, as in a browser */
  sourceOf<T>(pipeline: Pipeline<T>): OpenProfile<O> {
    const source = this.#sources.get(pipeline);
    if (source) return source;
    const message = 'the source of this pipeline is unknown; expected a profile, or a pipeline of createPipeline';
    throw toAssizeError([{ code: 'ASZ533', message }]);
  }
}
