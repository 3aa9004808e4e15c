import type { Embedder, Embeddings } from '../../src/sdk.js';
import { mapMaybePromise } from './maybe-promise.js';

/** The vectors of texts that were embedded before: the same text gives the same vector. The oldest goes first. */
export class EmbeddingCache {
  readonly #vectors = new Map<string, Float32Array>();

  constructor(private readonly capacity: number) {}

  /** The vectors of texts, in order; only those that are not known are embedded, each once. */
  embed(embedder: Embedder, texts: readonly string[], abort: AbortSignal): Embeddings | Promise<Embeddings> {
    const fresh = [...new Set(texts)].filter((text) => !this.#vectors.has(text));
    const made = fresh.length === 0 ? [] : embedder.embed(fresh, abort);
    return mapMaybePromise(made, (vectors) => this.#with(fresh, vectors, texts, embedder.name));
  }

  #with(fresh: readonly string[], made: Embeddings, texts: readonly string[], embedder: string): Embeddings {
    const known = new Map(texts.map((text) => [text, this.#vectors.get(text)]));
    for (const [k, text] of fresh.entries()) known.set(text, made[k]);
    for (const [text, vector] of known) if (vector !== undefined) this.#keep(text, vector);
    return texts.map((text) => {
      const vector = known.get(text);
      if (vector === undefined) throw new Error(`${embedder} gave ${made.length} vectors for ${fresh.length} texts`);
      return vector;
    });
  }

  #keep(text: string, vector: Float32Array): void {
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#vectors.size <= this.capacity) return;
      this.#vectors.delete(oldest);
    }
  }
}
