import { VectorMemory } from '../../src/sdk.js';

/** How a vector cache is bounded. */
export interface VectorCacheOptions {
  /** How many vectors it holds; the oldest goes first. 1,000 when not given. */
  readonly maxElements?: number;
  /** How many numbers a vector has. 384 when not given. */
  readonly dimensions?: number;
  /** Vectors older than this many milliseconds are forgotten; none is when not given. */
  readonly ttlMs?: number;
  /** Tells the time in milliseconds; `Date.now` when not given. */
  readonly now?: () => number;
}

/**
 * The vector cache of the KnowledgePulse SDK: vectors seen so far, oldest first, and how like the most similar of
 * them another is. Vectors are copied, as 32-bit floats.
 */
export class VectorCache {
  readonly #empty: VectorMemory;
  readonly #now: () => number;
  #memory: VectorMemory;

  constructor({ maxElements = 1000, dimensions = 384, ttlMs, now = Date.now }: VectorCacheOptions = {}) {
    this.#empty = VectorMemory.empty({ maxElements, dimensions, ttlMs });
    this.#memory = this.#empty;
    this.#now = now;
  }

  /** How many vectors it holds that are not too old. */
  get size(): number {
    return this.#memory.size(this.#now());
  }

  /** @throws RangeError when the vector has other dimensions, or numbers that are not finite */
  add(vector: ArrayLike<number>): void {
    this.#memory = this.#memory.add(vector, this.#now());
  }

  /**
   * The greatest cosine between the query and what is held, from -1 to 1; 0 when nothing is.
   *
   * @throws RangeError when the query has other dimensions, or numbers that are not finite
   */
  maxCosineSimilarity(query: ArrayLike<number>): number {
    return this.#memory.maxCosineSimilarity(query, this.#now()) ?? 0;
  }

  /** Forgets everything. */
  clear(): void {
    this.#memory = this.#empty;
  }
}
