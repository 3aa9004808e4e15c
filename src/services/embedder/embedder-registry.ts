import type { Tracer } from '../../contract/index.js';
import { describeValue } from '../../diagnostics/index.js';
import {
  type Embedder,
  type EmbedderProvider,
  type Embedders,
  type EmbedderSettings,
  embedderToken,
} from './embedder.js';
import { noTracer } from '../tracer.js';
import { TracedEmbedder } from './traced-embedder.js';
import { CachedEmbedder, EMBEDDING_CACHE, EmbeddingCache, sharedEmbeddings } from './embedding-cache.js';

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
