import { VectorMemory } from '../../src/unit-sdk.js';

/** The limits of a vector cache. */
export interface VectorCacheOptions {
  /** The number of vectors that it holds; the oldest is evicted first. 1,000 by default. */
  readonly maxElements?: number;
  /** The length of a vector. 384 by default. */
  readonly dimensions?: number;
  /** The age in milliseconds at which a vector expires; none expires by default. */
  readonly ttlMs?: number;
  /** Gives the time in milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

/**
 * The vector cache of the KnowledgePulse SDK: keeps vectors, oldest first, and returns the greatest cosine similarity of
 * a query with them. Vectors are copied as 32-bit floats.
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

  /** The number of vectors that have not expired. */
  get size(): number {
    return this.#memory.size(this.#now());
  }

  /** @throws RangeError if the vector has another length, or numbers that are not finite */
  add(vector: ArrayLike<number>): void {
    this.#memory = this.#memory.add(vector, this.#now());
  }

  /**
   * The greatest cosine of the query and the vectors, from -1 to 1; 0 without vectors.
   *
   * @throws RangeError if the query has another length, or numbers that are not finite
   */
  maxCosineSimilarity(query: ArrayLike<number>): number {
    return this.#memory.maxCosineSimilarity(query, this.#now()) ?? 0;
  }

  /** Removes all vectors. */
  clear(): void {
    this.#memory = this.#empty;
  }
}
