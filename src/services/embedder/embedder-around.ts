import type { Embedder, Embeddings } from './embedder.js';

/** An embedder that does something around another, whose vectors it gives: in all else it is that one. */
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
