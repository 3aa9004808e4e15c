import type { Embedder, Embeddings } from '../../src/sdk.js';
import { mapMaybePromise } from './maybe-promise.js';

/** Vectors of texts that were embedded before, at most `capacity`: the least recently used is evicted first. */
export class EmbeddingCache {
  readonly #vectors = new Map<string, Float32Array>();

  constructor(private readonly capacity: number) {}

  /** The vectors of texts, in order; only texts that are not cached are embedded, each once. */
  embed(embedder: Embedder, texts: readonly string[], abort: AbortSignal): Embeddings | Promise<Embeddings> {
    const fresh = [...new Set(texts)].filter((text) => !this.#vectors.has(text));
    const embedded = fresh.length === 0 ? [] : embedder.embed(fresh, abort);
    return mapMaybePromise(embedded, (vectors) => this.#resolve(texts, fresh, vectors, embedder.name));
  }

  /** Gives each text its vector, cached or fresh, and caches all of them as most recently used. */
  #resolve(texts: readonly string[], fresh: readonly string[], embedded: Embeddings, embedder: string): Embeddings {
    const byText = new Map(texts.map((text) => [text, this.#vectors.get(text)]));
    for (const [k, text] of fresh.entries()) byText.set(text, embedded[k]);
    for (const [text, vector] of byText) if (vector !== undefined) this.#store(text, vector);
    return texts.map((text) => {
      const vector = byText.get(text);
      if (vector === undefined)
        throw new Error(`${embedder} gave ${embedded.length} vectors for ${fresh.length} texts`);
      return vector;
    });
  }

  #store(text: string, vector: Float32Array): void {
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#vectors.size <= this.capacity) return;
      this.#vectors.delete(oldest);
    }
  }
}
