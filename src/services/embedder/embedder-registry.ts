import { type ServiceToken, serviceToken, type Tracer } from '../../contract/index.js';
import { describeValue } from '../../diagnostics/index.js';
import { noTracer, traced } from '../host-services.js';
import { abortable } from '../requests.js';
import {
  type Embedder,
  EmbedderAround,
  type EmbedderProvider,
  type Embedders,
  type EmbedderSettings,
  embedderToken,
  type Embeddings,
} from './embedder.js';

/** Looks providers up among the bound services, by their tokens. What their embedders give is kept in the bound cache. */
export class EmbedderRegistry implements Embedders {
  /** The embedders by their settings: an entry's are looked up in every run. */
  readonly #opened = new WeakMap<EmbedderSettings, Embedder>();

  /** @param lookup gives what is bound to a token; undefined where nothing is */
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

/** An embedder whose work can be followed: what is asked of the model itself, behind what keeps its vectors. */
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

/** The bound of a cache when none is given: the vectors of some 50,000 texts, 384 wide. */
const DEFAULT_MAX_BYTES = 128 * 2 ** 20;

/** What an entry takes besides its numbers and its characters, roughly. */
const ENTRY_BYTES = 100;

/** The bound of an `EmbeddingCache`. */
export interface EmbeddingCacheOptions {
  /** The bytes that vectors and texts may take together, roughly; 128 MiB by default. 0 keeps nothing. */
  readonly maxBytes?: number;
}

/** What a cache holds, and how often it has answered. */
export interface EmbeddingCounts {
  /** The texts whose vectors are kept. */
  readonly texts: number;
  /** The bytes that they take, roughly. */
  readonly bytes: number;
  /** The different texts of all calls that were not embedded: their vectors were kept, or on their way. */
  readonly hits: number;
  /** The different texts of all calls that were embedded. */
  readonly misses: number;
}

/** A text that is being embedded. */
interface Pending {
  readonly vector: Promise<Vector>;
  /** Of the caller that embeds it: another one may go on when that has stopped. */
  readonly abort: AbortSignal | undefined;
}

type Vector = Embeddings[number];

/**
 * Vectors of texts that were embedded before: the least recently used go first. A text that is being embedded is waited
 * for and not embedded again; what failed or was aborted is not kept.
 *
 * Vectors belong to the `space` of their embedder. They are copied in and out, so that none is written into by another owner.
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

  /** @throws RangeError where the bound is not a number of at least 0 */
  constructor({ maxBytes = DEFAULT_MAX_BYTES }: EmbeddingCacheOptions = {}) {
    if (!(maxBytes >= 0)) throw new RangeError(`maxBytes is ${maxBytes}; expected a number of at least 0`);
    this.#maxBytes = maxBytes;
  }

  /** What it holds now, and how often it has answered. */
  get counts(): EmbeddingCounts {
    return { texts: this.#vectors.size, bytes: this.#bytes, hits: this.#hits, misses: this.#misses };
  }

  /**
   * The vectors of texts, in order. Only those that are neither kept nor on their way are embedded, each once; a promise
   * only where it has to wait.
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
    const learn = (learned: readonly string[], their: Embeddings): void =>
      learned.forEach((text, k) => void vectors.set(text, their[k]));
    const embedded = fresh.length === 0 ? [] : this.#embedFresh(embedder, prefix, fresh, abort);
    if (!(embedded instanceof Promise) && pending.size === 0) {
      learn(fresh, embedded);
      return copies();
    }
    const wait = async (): Promise<Embeddings> => {
      learn(fresh, await embedded);
      const abandoned = await collect(pending, vectors, abort);
      if (abandoned.length > 0) learn(abandoned, await this.embed(embedder, abandoned, abort));
      return copies();
    };
    return wait();
  }

  /** Embeds texts and keeps their vectors. Until they are there, others that want them wait with it. */
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
      vector.catch(() => {}); // it may not be awaited
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

  /** A vector that is kept, which is then the most recently used. */
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
 * @returns the texts of callers that have stopped, while this one goes on
 * @throws what embedding them fails with
 */
async function collect(
  pending: ReadonlyMap<string, Pending>,
  into: Map<string, Vector | undefined>,
  abort: AbortSignal | undefined,
): Promise<readonly string[]> {
  const abandoned: string[] = [];
  for (const [text, one] of pending) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- all are under way already.
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

/** The token under which the cache of embeddings is bound: one for all pipelines of a process, unless it is bound anew. */
export const EMBEDDING_CACHE: ServiceToken<EmbeddingCache> = serviceToken<EmbeddingCache>('embedding cache');

/** The cache that pipelines share where none is bound. Each thread of a process has its own. */
export const sharedEmbeddings = new EmbeddingCache();

/** An embedder that embeds no text anew whose vector is kept. */
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
