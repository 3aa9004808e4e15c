import type { Progress } from '../../sdk/index.js';
import { toError } from '../../base/index.js';
import type { Embedder, EmbedderProvider, EmbedderSettings, Embeddings } from '../embedder/embedder-registry.js';
import { CLOCK, type Clock, noProgress, PROGRESS, systemClock } from '../host-services.js';
import { rethrow } from '../optional-package.js';
import { abortable } from '../requests.js';
import type { CrossEncoders, CrossEncoderSettings, Reranker, RerankRequest } from '../reranker.js';
import { importTransformers, loadModel, type ModelSource, modelSource, type Tensor } from './load-model.js';

const DEFAULT_MODEL = 'Xenova/all-MiniLM-L6-v2';

/** Embeds one text as the normalized mean of its tokens. */
type EmbedText = (text: string) => Promise<Float32Array>;

const loadedEmbedders = new Map<string, Promise<EmbedText>>();

/** The spaces by model. All pipelines of this process share cached vectors. */
const spaces = new Map<string, object>();

function spaceOf(key: string): object {
  const space = spaces.get(key) ?? {};
  spaces.set(key, space);
  return space;
}

/**
 * Provides `transformers`: sentence embeddings in this process, by `@huggingface/transformers`, which the first text
 * loads. Settings: `model`, `dtype`, `folder`, `timeout` (default: 5 s without data), `dimensions` (the expected
 * number), and the options `remote_host`, `cache_dir`, `revision`.
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
    this.#models = new ModelPool(loadedEmbedders, clock, (source, timeout) => this.#load(source, timeout));
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
      // oxlint-disable-next-line no-await-in-loop -- one at a time: a quantised model scales by the whole batch, so a vector would depend on the other texts.
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

/** The logits of a pair of texts, one for each label of the model. */
type ScorePair = (query: string, text: string) => Promise<Tensor | undefined>;

const loadedCrossEncoders = new Map<string, Promise<ScorePair>>();

/**
 * Cross-encoders in this process, by `@huggingface/transformers`, which the first text loads: any model of sequence
 * classification with one label. Options: `remote_host`, `cache_dir`, `revision`.
 */
export class TransformersCrossEncoders implements CrossEncoders {
  static readonly inject = [CLOCK, PROGRESS];
  readonly #models: ModelPool<ScorePair>;

  constructor(
    clock: Clock = systemClock,
    private readonly progress: Progress = noProgress,
    private readonly library: () => Promise<unknown> = () => import('@huggingface/transformers').catch(rethrow),
  ) {
    this.#models = new ModelPool(loadedCrossEncoders, clock, (source, timeout) => this.#load(source, timeout));
  }

  open({ name, timeout = DEFAULT_IDLE_TIMEOUT, ...settings }: CrossEncoderSettings): Reranker {
    const source = modelSource(`cross-encoder ${name}`, { ...settings, model: name });
    const title = [name, source.revision, source.dtype].filter((part) => part !== undefined).join(':');
    return new TransformersCrossEncoder(title, this.#models.model(source, timeout), this.progress);
  }

  async #load(source: ModelSource, idleTimeoutMs: number): Promise<ScorePair> {
    const lib = await importTransformers('a cross-encoder', this.library);
    const kind = lib.AutoModelForSequenceClassification;
    const { tokenizer, model } = await loadModel(lib, kind, source, idleTimeoutMs, this.progress);
    return async (query, text) => (await model(tokenizer(query, { text_pair: text, truncation: true }))).logits;
  }
}

class TransformersCrossEncoder implements Reranker {
  constructor(
    readonly name: string,
    private readonly model: PooledModel<ScorePair>,
    private readonly progress: Progress,
  ) {}

  async rerank({ query, documents }: RerankRequest, abort: AbortSignal): Promise<readonly number[]> {
    abort.throwIfAborted();
    const scorePair = await abortable(this.model.load(), abort);
    const logits: number[] = [];
    for (const text of documents) {
      abort.throwIfAborted();
      // oxlint-disable-next-line no-await-in-loop -- one at a time: on a CPU a batch is not faster, and a quantised model scales by the whole batch, so a score would depend on the other texts.
      logits.push(this.#only(await scorePair(query, text)));
      this.progress({ task: 'scoring', unit: 'texts', done: logits.length, total: documents.length });
    }
    return logits;
  }

  /** The logit of a model with one label. */
  #only(logits: Tensor | undefined): number {
    const logit = logits?.data[0];
    if (logit !== undefined && logits?.data.length === 1) return logit;
    const found = logits ? `${logits.data.length} numbers` : 'no logits';
    throw new Error(
      `${this.name} gives ${found} for a pair of texts; expected one: a cross-encoder that ranks has one label`,
    );
  }
}

/** The default milliseconds without data after which a load fails. */
const DEFAULT_IDLE_TIMEOUT = 5000;

/** The time before a failed load is retried, so that not every run waits for an unreachable hub. */
const RETRY_AFTER = 60_000;

/** One model of a pool. */
interface PooledModel<M> {
  /** The error of the last load, if it failed recently. */
  failure(): Error | undefined;
  /** Returns the model. The first call loads it. Rejects with the last error if a load failed recently. */
  load(): Promise<M>;
}

/** The models of one kind, loaded on first use. */
class ModelPool<M> {
  readonly #failures = new Map<string, { readonly error: Error; readonly until: number }>();

  /**
   * @param loaded the models of this process, which pipelines share; failed loads are removed
   * @param load loads a model; fails after `idleTimeoutMs` milliseconds without data
   */
  constructor(
    private readonly loaded: Map<string, Promise<M>>,
    private readonly clock: Clock,
    private readonly load: (source: ModelSource, idleTimeoutMs: number) => Promise<M>,
  ) {}

  /** Returns the model of a source without loading it. */
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
