import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { CLOCK, type Clock, systemClock } from '../clock.js';
import { toError } from '../../diagnostics/index.js';
import { rethrow } from '../optional-package.js';
import { noProgress, PROGRESS } from '../progress.js';
import type { Progress } from '../../contract/index.js';
import { abortable } from '../abortable.js';
import type { Embedder, EmbedderProvider, EmbedderSettings, Embeddings } from './embedder.js';
import { importTransformers } from './transformers-library.js';
import { type EmbedText, loadModel, type ModelSource } from './transformers-model.js';

const DEFAULT_MODEL = 'Xenova/all-MiniLM-L6-v2';
const DEFAULT_IDLE_TIMEOUT = 5000;
/** How long a failed load is not retried: a run should not wait for a hub that the last one waited for. */
const RETRY_AFTER = 60_000;

/** The dtypes of the library: it silently replaces any other by its default. */
const DTYPES = 'auto fp32 fp16 q8 int8 uint8 q4 q4f16 q2 q2f16 q1 q1f16 bnb4'.split(' ');

const optionsSchema = z.strictObject({
  remote_host: z.url().optional().describe('The hub to ask, in place of https://huggingface.co/.'),
  cache_dir: z.string().optional().describe('Where downloads are kept, in place of the library’s own cache.'),
  revision: z.string().optional().describe('The branch, tag or commit of the model.'),
});

/** The models of this process, which pipelines share. A failed load is removed. */
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
  readonly #failures = new Map<string, { readonly error: Error; readonly until: number }>();

  constructor(
    private readonly clock: Clock = systemClock,
    private readonly progress: Progress = noProgress,
    private readonly library: () => Promise<unknown> = () => import('@huggingface/transformers').catch(rethrow),
  ) {}

  open({ name, model = DEFAULT_MODEL, timeout = DEFAULT_IDLE_TIMEOUT, ...settings }: EmbedderSettings): Embedder {
    const { dtype, folder, dimensions } = settings;
    if (folder !== undefined && !isAbsolute(folder)) throw new Error(`embedder ${name}: '${folder}' is not absolute`);
    if (dtype !== undefined && !DTYPES.includes(dtype)) {
      throw new Error(`embedder ${name}: no dtype is called '${dtype}', only ${DTYPES.join(', ')}`);
    }
    const options = optionsSchema.safeParse(settings.options ?? {});
    if (!options.success) throw new Error(`embedder ${name}, options: ${z.prettifyError(options.error)}`);
    const { remote_host: remoteHost, cache_dir: cacheDir, revision } = options.data;
    const source = { model, dtype, folder, remoteHost, cacheDir, revision };
    const key = JSON.stringify([source, timeout, dimensions]);
    const title = [name, model, revision, dtype].filter((part) => part !== undefined).join(':');
    const ofSource = JSON.stringify(source);
    const loading: ModelLoader = {
      failure: () => this.#failure(ofSource),
      load: () => this.#model(ofSource, source, timeout),
    };
    const space = spaceOf(JSON.stringify([source, dimensions]));
    const made = this.#embedders.get(key) ?? new TransformersEmbedder(title, space, dimensions, loading, this.progress);
    this.#embedders.set(key, made);
    return made;
  }

  #failure(key: string): Error | undefined {
    const failure = this.#failures.get(key);
    return failure !== undefined && this.clock.now() < failure.until ? failure.error : undefined;
  }

  /** The model, which the first caller loads, with its time-out; throws the last failure while that is recent. */
  async #model(key: string, source: ModelSource, idleTimeoutMs: number): Promise<EmbedText> {
    const failure = this.#failure(key);
    if (failure !== undefined) throw failure;
    let model = loadedModels.get(key);
    if (model === undefined) {
      model = this.#load(source, idleTimeoutMs);
      loadedModels.set(key, model);
    }
    try {
      return await model;
    } catch (error) {
      if (loadedModels.get(key) === model) loadedModels.delete(key);
      this.#failures.set(key, { error: toError(error), until: this.clock.now() + RETRY_AFTER });
      throw error;
    }
  }

  async #load(source: ModelSource, idleTimeoutMs: number): Promise<EmbedText> {
    return loadModel(await importTransformers(this.library), source, idleTimeoutMs, this.progress);
  }
}

/** Loads the model of an embedder. */
interface ModelLoader {
  /** Why the last load failed, while that is recent. */
  failure(): Error | undefined;
  load(): Promise<EmbedText>;
}

class TransformersEmbedder implements Embedder {
  #dimensions: number | undefined;

  constructor(
    readonly name: string,
    readonly space: object,
    private readonly expected: number | undefined,
    private readonly model: ModelLoader,
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
