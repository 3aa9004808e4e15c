import type { CompiledProfile } from '../engine/index.js';
import { toAssizeError } from '../base/index.js';
import type { ProfileSource } from '../profile/index.js';
import { Pipeline } from './pipeline.js';

/** A profile, or a compiled one. */
export type ProfileOrPipeline<T> = ProfileSource | Pipeline<T>;

/** A compiled profile with its source and its options, from which threads and searches load it again. */
export interface OpenProfile<O> {
  readonly compiled: CompiledProfile;
  readonly profile: ProfileSource;
  readonly options: O;
}

/** What the pipelines of this process were created from. */
export class PipelineSources<O> {
  readonly #sources = new WeakMap<object, OpenProfile<O>>();

  /** Creates a pipeline and remembers its source. */
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
