import * as z from 'zod';
import { type ServiceToken, serviceToken, type Tracer } from '../../sdk/index.js';
import { filePath, outside, serviceOptions, duration } from '../../expression/index.js';
import { describeValue } from '../../base/index.js';
import { noTracer, traced } from '../host-services.js';
import { abortable } from '../requests.js';

/** One vector for each text. */
export type Embeddings = readonly Float32Array[];

/** Converts texts to vectors. Similar texts have vectors with similar directions. */
export interface Embedder {
  /** The model and everything else that determines its numbers: `transformers:Xenova/all-MiniLM-L6-v2:q8`, `lexical:512`. */
  readonly name: string;
  /** The length of a vector; undefined until it is known. */
  readonly dimensions: number | undefined;
  /**
   * The key of its vectors in the cache. Embedders with the same object share cached vectors, such as embedders of one
   * model in two pipelines. Defaults to the embedder itself.
   */
  readonly space?: object | undefined;
  /** The reason why it cannot embed now, if it is known: for example, a recent load of its model failed. */
  readonly unusable?: Error | undefined;
  /**
   * Returns one vector for each text, in order, or a promise if it must wait. The vector of a text must not depend on
   * the other texts or on the time, because vectors are cached.
   *
   * @param abort stops the work between two texts, with its reason
   */
  embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings>;
}

/** A profile's settings of an embedder. The provider decides which settings it accepts besides the name. */
export interface EmbedderSettings {
  /** The provider's name. */
  readonly name: string;
  /** The provider's name for the model. */
  readonly model?: string | undefined;
  /** The type of the model's numbers: `fp32`, `q8` and others. Defaults to the provider's default. */
  readonly dtype?: string | undefined;
  /** The absolute path of a folder of models, which replaces the network. */
  readonly folder?: string | undefined;
  /** The milliseconds without data after which a load fails. */
  readonly timeout?: number | undefined;
  /** The length of a vector. */
  readonly dimensions?: number | undefined;
  /** Settings of this provider. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Creates the embedders of one kind. */
export interface EmbedderProvider {
  /** Returns the same embedder for the same settings. The first text loads the model. */
  open(settings: EmbedderSettings): Embedder;
}

/** The token of a provider. A plugin binds its own providers in its export `services`. */
export const embedderToken = (name: string): ServiceToken<EmbedderProvider> =>
  serviceToken<EmbedderProvider>(`embedder:${name}`);

/** Finds embedders by a profile's settings. */
export interface Embedders {
  /** @throws Error if no provider has this name, or the provider rejects a setting */
  open(settings: EmbedderSettings): Embedder;
}

/** The token for units that embed: `@inject(EMBEDDERS)`. */
export const EMBEDDERS: ServiceToken<Embedders> = serviceToken<Embedders>('embedders');

/** Four times the dimensions of any known model. */
const MAX_DIMENSIONS = 16_384;

const embedderSchema = z.strictObject({
  name: z.string().min(1).describe('The embedder: transformers, lexical, or one from a plugin.'),
  model: z.string().min(1).optional().describe('The name of the model in the embedder.'),
  dtype: z.string().min(1).optional().describe('The type of the model’s numbers: fp32, fp16, q8, q4 and others.'),
  folder: filePath()
    .optional()
    .describe('A folder of models, relative to the profile. If it is set, nothing is loaded from the network.'),
  timeout: duration().optional().describe('The maximum time without progress while the model loads.'),
  dimensions: z.int().positive().max(MAX_DIMENSIONS).optional().describe('The number of dimensions of a vector.'),
  options: serviceOptions().optional().describe('Options that are specific to this embedder.'),
});

/** The embedder that compares wording, in this process and without a model. */
const IN_PROCESS = 'lexical';

/** A param that chooses an embedder: its name, or a map of its settings. */
export function embedderParam(defaultName = 'transformers') {
  // The default may be unused, so it counts as an outside model only when a unit opens it.
  const providerOf = (chosen: string | z.output<typeof embedderSchema>): symbol | undefined => {
    const name = typeof chosen === 'string' ? chosen : chosen.name;
    return name === IN_PROCESS || chosen === defaultName ? undefined : embedderToken(name);
  };
  return outside('model', z.union([z.string().min(1), embedderSchema]), providerOf)
    .transform((value): EmbedderSettings => (typeof value === 'string' ? { name: value } : value))
    .prefault(defaultName)
    .describe(
      'The embedder: its name (transformers, lexical, one from a plugin), or a map: name, model, dtype, folder, timeout, dimensions, options.',
    );
}

/** A decorator of an embedder. Subclasses wrap `embed`. */
export abstract class EmbedderAround implements Embedder {
  constructor(protected readonly embedder: Embedder) {}

  get name(): string {
    return this.embedder.name;
  }

  get dimensions(): number | undefined {
    return this.embedder.dimensions;
  }

  get space(): object {
    return this.embedder.space ?? this.embedder;
  }

  get unusable(): Error | undefined {
    return this.embedder.unusable;
  }

  abstract embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings>;
}

/** Finds providers among the bound services, by their tokens. The bound cache keeps the vectors of their embedders. */
export class EmbedderRegistry implements Embedders {
  /** The embedders by their settings, because every run looks up the embedder of an entry. */
  readonly #opened = new WeakMap<EmbedderSettings, Embedder>();

  /** @param lookup returns the service that is bound to a token, or undefined */
  constructor(
    private readonly lookup: (token: symbol) => unknown,
    private readonly tracer: Tracer = noTracer,
  ) {}

  open(settings: EmbedderSettings): Embedder {
    const known = this.#opened.get(settings);
    if (known) return known;
    const opened = this.#open(settings);
    this.#opened.set(settings, opened);
    return opened;
  }

  #open(settings: EmbedderSettings): Embedder {
    const provider = this.lookup(embedderToken(settings.name));
    if (isProvider(provider))
      return new CachedEmbedder(new TracedEmbedder(provider.open(settings), this.tracer), this.#cache());
    throw new Error(unknownEmbedder(settings.name));
  }

  #cache(): EmbeddingCache {
    const bound = this.lookup(EMBEDDING_CACHE);
    if (bound === undefined) return sharedEmbeddings;
    if (bound instanceof EmbeddingCache) return bound;
    throw new Error(`the service embedding cache is ${describeValue(bound)}; expected an EmbeddingCache`);
  }
}

const isProvider = (bound: unknown): bound is EmbedderProvider =>
  typeof bound === 'object' && bound !== null && 'open' in bound && typeof bound.open === 'function';

const unknownEmbedder = (name: string): string =>
  [
    `no embedder is called '${name}'`,
    'there is transformers, a language model, which knows synonyms (npm install @huggingface/transformers)',
    'lexical, which compares wording and needs nothing',
    `and any that a plugin listed in the profile's 'plugins' brings, as ` +
      `export const services = [{ token: embedderToken('${name}'), class: … }]`,
  ].join('\n');

/** Traces the calls of the model, which are the misses of the cache. */
class TracedEmbedder extends EmbedderAround {
  constructor(
    embedder: Embedder,
    private readonly tracer: Tracer,
  ) {
    super(embedder);
  }

  override embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    const { name: model } = this.embedder;
    const message = { kind: 'embeddings', model, texts: texts.length } as const;
    return traced(this.tracer, 'model', message, () => this.embedder.embed(texts, abort));
  }
}

/** The default size of a cache: about 50,000 texts with 384 dimensions. */
const DEFAULT_MAX_BYTES = 128 * 2 ** 20;

/** The approximate overhead of an entry, besides its numbers and characters. */
const ENTRY_BYTES = 100;

/** The options of an `EmbeddingCache`. */
export interface EmbeddingCacheOptions {
  /** The approximate maximum bytes of vectors and texts. Defaults to 128 MiB. 0 disables the cache. */
  readonly maxBytes?: number;
}

/** The contents of a cache, and its hits and misses. */
export interface EmbeddingCounts {
  /** The number of cached texts. */
  readonly texts: number;
  /** Their approximate bytes. */
  readonly bytes: number;
  /** The distinct texts of all calls whose vectors were cached or already being computed. */
  readonly hits: number;
  /** The distinct texts of all calls that were embedded. */
  readonly misses: number;
}

/** A text that is being embedded. */
interface Pending {
  readonly vector: Promise<Vector>;
  /** The signal of the caller that embeds it. If that caller stops, another one continues. */
  readonly abort: AbortSignal | undefined;
}

type Vector = Embeddings[number];

/**
 * Caches the vectors of texts. Evicts the least recently used vectors first. Concurrent calls share the work on a text.
 * Failed and aborted work is not cached.
 *
 * Vectors belong to the `space` of their embedder. The cache copies them in and out, so that no caller can modify the
 * vectors of another one.
 */
export class EmbeddingCache {
  readonly #maxBytes: number;
  /** The prefixes of keys, by space. */
  readonly #prefixes = new WeakMap<object, string>();
  #spaces = 0;
  /** Least recently used first. */
  readonly #vectors = new Map<string, Vector>();
  readonly #pending = new Map<string, Pending>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  /** @throws RangeError if `maxBytes` is not a number of at least 0 */
  constructor({ maxBytes = DEFAULT_MAX_BYTES }: EmbeddingCacheOptions = {}) {
    if (!(maxBytes >= 0)) throw new RangeError(`maxBytes is ${maxBytes}; expected a number of at least 0`);
    this.#maxBytes = maxBytes;
  }

  /** The current contents, and the hits and misses so far. */
  get counts(): EmbeddingCounts {
    return { texts: this.#vectors.size, bytes: this.#bytes, hits: this.#hits, misses: this.#misses };
  }

  /**
   * Returns the vectors of texts, in order. Embeds each text once if it is neither cached nor being embedded. Returns a
   * promise only if it must wait.
   */
  embed(embedder: Embedder, texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    const prefix = this.#prefixOf(embedder);
    const vectors = new Map<string, Vector | undefined>();
    const pending = new Map<string, Pending>();
    const fresh: string[] = [];
    for (const text of texts) {
      if (vectors.has(text)) continue;
      const vector = this.#find(prefix + text);
      vectors.set(text, vector);
      if (vector !== undefined) continue;
      const underWay = this.#pending.get(prefix + text);
      if (underWay) pending.set(text, underWay);
      else fresh.push(text);
    }
    this.#hits += vectors.size - fresh.length;
    this.#misses += fresh.length;
    const copies = (): Embeddings => texts.map((text) => vectors.get(text)!.slice());
    const add = (added: readonly string[], their: Embeddings): void =>
      added.forEach((text, k) => void vectors.set(text, their[k]));
    const embedded = fresh.length === 0 ? [] : this.#embedFresh(embedder, prefix, fresh, abort);
    if (!(embedded instanceof Promise) && pending.size === 0) {
      add(fresh, embedded);
      return copies();
    }
    const wait = async (): Promise<Embeddings> => {
      add(fresh, await embedded);
      const abandoned = await collect(pending, vectors, abort);
      if (abandoned.length > 0) add(abandoned, await this.embed(embedder, abandoned, abort));
      return copies();
    };
    return wait();
  }

  /** Embeds texts and caches their vectors. Other callers wait for the same work. */
  #embedFresh(
    embedder: Embedder,
    prefix: string,
    texts: readonly string[],
    abort: AbortSignal | undefined,
  ): Embeddings | Promise<Embeddings> {
    const keep = (given: Embeddings): Embeddings => {
      if (given.length !== texts.length)
        throw new Error(`${embedder.name} gave ${given.length} vectors for ${texts.length} texts`);
      const own = given.map((vector) => vector.slice());
      for (const [k, text] of texts.entries()) this.#store(prefix + text, own[k]!);
      return own;
    };
    const given = embedder.embed(texts, abort);
    if (!(given instanceof Promise)) return keep(given);
    const work = given.then(keep).finally(() => {
      for (const text of texts) this.#pending.delete(prefix + text);
    });
    for (const [k, text] of texts.entries()) {
      const vector = work.then((vectors) => vectors[k]!);
      vector.catch(() => {}); // Prevents an unhandled rejection if no caller awaits it.
      this.#pending.set(prefix + text, { vector, abort });
    }
    return work;
  }

  #prefixOf(embedder: Embedder): string {
    const { space = embedder } = embedder;
    let prefix = this.#prefixes.get(space);
    if (prefix === undefined) {
      prefix = `${this.#spaces++} `;
      this.#prefixes.set(space, prefix);
    }
    return prefix;
  }

  /** Returns a cached vector, and marks it as the most recently used. */
  #find(key: string): Vector | undefined {
    const vector = this.#vectors.get(key);
    if (vector === undefined) return undefined;
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    return vector;
  }

  #store(key: string, vector: Vector): void {
    const bytes = bytesOf(key, vector);
    if (bytes > this.#maxBytes) return;
    this.#drop(key);
    this.#vectors.set(key, vector);
    this.#bytes += bytes;
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const vector = this.#vectors.get(key);
    if (vector === undefined) return;
    this.#vectors.delete(key);
    this.#bytes -= bytesOf(key, vector);
  }
}

/**
 * Collects vectors that other callers are embedding.
 *
 * @returns the texts of callers that were aborted, which this caller must embed
 * @throws the error of embedding them
 */
async function collect(
  pending: ReadonlyMap<string, Pending>,
  into: Map<string, Vector | undefined>,
  abort: AbortSignal | undefined,
): Promise<readonly string[]> {
  const abandoned: string[] = [];
  for (const [text, one] of pending) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- all run concurrently already
      into.set(text, await abortable(one.vector, abort));
    } catch (error) {
      if (abort?.aborted || !one.abort?.aborted) throw error;
      abandoned.push(text);
    }
  }
  return abandoned;
}

const bytesOf = (key: string, vector: Vector): number =>
  ENTRY_BYTES + 2 * key.length + Float32Array.BYTES_PER_ELEMENT * vector.length;

/** The token of the cache of embeddings. All pipelines of a process share one cache unless another one is bound. */
export const EMBEDDING_CACHE: ServiceToken<EmbeddingCache> = serviceToken<EmbeddingCache>('embedding cache');

/** The cache that pipelines share if no other one is bound. Each thread has its own. */
export const sharedEmbeddings = new EmbeddingCache();

/** An embedder with a cache. */
class CachedEmbedder extends EmbedderAround {
  constructor(
    embedder: Embedder,
    private readonly cache: EmbeddingCache,
  ) {
    super(embedder);
  }

  override embed(texts: readonly string[], abort?: AbortSignal): Embeddings | Promise<Embeddings> {
    return this.cache.embed(this.embedder, texts, abort);
  }
}
