import { CLOCK, type Clock, systemClock } from '../clock.js';
import { rethrow } from '../optional-package.js';
import { noProgress, PROGRESS } from '../progress.js';
import type { Progress } from '../../contract/index.js';
import { abortable } from '../abortable.js';
import { loadModel } from '../transformers/load-model.js';
import { DEFAULT_IDLE_TIMEOUT, ModelPool, type PooledModel } from '../transformers/model-pool.js';
import { type ModelSource, modelSource } from '../transformers/model-source.js';
import { importTransformers } from '../transformers/transformers-library.js';
import type { Embedder, EmbedderProvider, EmbedderSettings, Embeddings } from './embedder.js';

const DEFAULT_MODEL = 'Xenova/all-MiniLM-L6-v2';

/** Embeds one text: the mean of its tokens, of length 1. */
type EmbedText = (text: string) => Promise<Float32Array>;

const loadedModels = new Map<string, Promise<EmbedText>>();

/** The spaces of this process's models: pipelines share their vectors, too. */
const spaces = new Map<string, object>();

function spaceOf(key: string): object {
  const space = spaces.get(key) ?? {};
  spaces.set(key, space);
  return space;
}

/**
 * Provides `transformers`: sentence embeddings of a language model in this process, by `@huggingface/transformers`,
 * which is loaded with the first text. Settings: `model`, `dtype`, `folder`, `timeout` (5 s of silence), `dimensions`
 * (what is expected), and the options `remote_host`, `cache_dir`, `revision`.
 */
export class TransformersProvider implements EmbedderProvider {
  static readonly inject = [CLOCK, PROGRESS];
  readonly #embedders = new Map<string, Embedder>();
  readonly #models: ModelPool<EmbedText>;

  constructor(
    clock: Clock = systemClock,
    private readonly progress: Progress = noProgress,
    private readonly library: () => Promise<unknown> = () => import('@huggingface/transformers').catch(rethrow),
  ) {
    this.#models = new ModelPool(loadedModels, clock, (source, timeout) => this.#load(source, timeout));
  }

  open({ name, model = DEFAULT_MODEL, timeout = DEFAULT_IDLE_TIMEOUT, ...settings }: EmbedderSettings): Embedder {
    const { dimensions } = settings;
    const source = modelSource(`embedder ${name}`, { ...settings, model });
    const key = JSON.stringify([source, timeout, dimensions]);
    const title = [name, model, source.revision, source.dtype].filter((part) => part !== undefined).join(':');
    const pooled = this.#models.model(source, timeout);
    const space = spaceOf(JSON.stringify([source, dimensions]));
    const made = this.#embedders.get(key) ?? new TransformersEmbedder(title, space, dimensions, pooled, this.progress);
    this.#embedders.set(key, made);
    return made;
  }

  async #load(source: ModelSource, idleTimeoutMs: number): Promise<EmbedText> {
    const lib = await importTransformers('the embedder transformers', this.library);
    const parts = await loadModel(lib, lib.AutoModel, source, idleTimeoutMs, this.progress);
    const extract = new lib.FeatureExtractionPipeline({ task: 'feature-extraction', ...parts });
    return async (text) => Float32Array.from((await extract(text, { pooling: 'mean', normalize: true })).data);
  }
}

class TransformersEmbedder implements Embedder {
  #dimensions: number | undefined;

  constructor(
    readonly name: string,
    readonly space: object,
    private readonly expected: number | undefined,
    private readonly model: PooledModel<EmbedText>,
    private readonly progress: Progress,
  ) {
    this.#dimensions = expected;
  }

  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  get unusable(): Error | undefined {
    return this.model.failure();
  }

  async embed(texts: readonly string[], abort?: AbortSignal): Promise<Embeddings> {
    abort?.throwIfAborted();
    const embedText = await abortable(this.model.load(), abort);
    const vectors: Float32Array[] = [];
    const total = texts.length;
    for (const text of texts) {
      abort?.throwIfAborted();
      // oxlint-disable-next-line no-await-in-loop -- one at a time: a quantised model scales by the whole batch, so that its numbers depend on the neighbours.
      vectors.push(this.#checked(await embedText(text)));
      this.progress({ task: 'embedding', unit: 'texts', done: vectors.length, total });
    }
    return vectors;
  }

  #checked(vector: Float32Array): Float32Array {
    this.#dimensions = this.expected ?? vector.length;
    if (vector.length === this.#dimensions) return vector;
    throw new Error(`${this.name} gives vectors of ${vector.length} dimensions, ${this.expected} were expected`);
  }
}
