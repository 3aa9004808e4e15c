import type { Embedder } from '../../src/sdk.js';

/** The vectors of texts that were embedded before: the same text gives the same vector. The oldest goes first. */
export class TextVectors {
  readonly #vectors = new Map<string, Float32Array>();

  constructor(private readonly capacity: number) {}

  /** The vectors of texts, in order; only those that are not known are embedded, each once. */
  async embed(embedder: Embedder, texts: readonly string[], abort: AbortSignal): Promise<readonly Float32Array[]> {
    const fresh = [...new Set(texts)].filter((text) => !this.#vectors.has(text));
    const made = fresh.length === 0 ? [] : await embedder.embed(fresh, abort);
    const known = new Map(texts.map((text) => [text, this.#vectors.get(text)]));
    for (const [k, text] of fresh.entries()) known.set(text, made[k]);
    for (const [text, vector] of known) if (vector !== undefined) this.#keep(text, vector);
    return texts.map((text) => {
      const vector = known.get(text);
      if (vector === undefined)
        throw new Error(`${embedder.name} gave ${made.length} vectors for ${fresh.length} texts`);
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
