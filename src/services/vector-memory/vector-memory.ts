import { advanceIndex } from './advance-index.js';
import { approximateMaxCosine, isIndexed, maxCosine } from './max-cosine.js';
import type { GraphSettings, NeighbourGraphs } from './neighbour-graph.js';
import { euclideanLength, type QueryVector, type TimeFilter } from './vector-block.js';
import { decodeBlocks, encodeSlices } from './vector-bytes.js';
import { VectorLog } from './vector-log.js';

/** An approximate index: what it is made with, in the words of the HNSW paper. */
export interface VectorIndexSettings extends Omit<GraphSettings, 'dimensions'> {
  /** A memory of up to so many vectors compares with all of them. */
  readonly above: number;
}

/** What bounds a memory of vectors. */
export interface VectorMemoryLimits {
  /** How many vectors it holds; the oldest goes first. */
  readonly maxElements: number;
  /** How many numbers a vector has; the first vector decides when not given. */
  readonly dimensions?: number | undefined;
  /** Vectors older than this many milliseconds are not seen any more; none is too old when not given. */
  readonly ttlMs?: number | undefined;
  /** Searches by an index; when not given, every vector is compared. */
  readonly index?: VectorIndexSettings | undefined;
}

/** A fork copies up to a block, and a block is the least that is let go: a small part of a memory, and never much. */
const [BLOCKS_PER_MEMORY, MIN_BLOCK_SIZE, MAX_BLOCK_SIZE] = [8, 64, 4096];
const blockSize = ({ maxElements }: VectorMemoryLimits): number =>
  Math.min(MAX_BLOCK_SIZE, Math.max(MIN_BLOCK_SIZE, Math.ceil(maxElements / BLOCKS_PER_MEMORY)));

/** How much of a memory one graph takes: of what it has of the forgotten, more would go only with all of it. */
const MAX_SEGMENT_SHARE = 1 / 2;

const assertWholeNumber = (name: string, value: number | undefined, least = 1): void => {
  if (value !== undefined && (!Number.isInteger(value) || value < least))
    throw new RangeError(`Expected ${name} of at least ${least}, got ${value}`);
};

/**
 * Vectors that were seen, oldest first: an immutable value. Adding gives a new memory, and the old one still answers
 * as it did.
 *
 * Memories share their vectors, which are kept as 32-bit floats, as embedders give them. They share an index as well,
 * where they have one: it grows, so that an old memory may then find by it what it missed before, or miss what it
 * found. What it says of those that it finds is always right.
 */
export class VectorMemory {
  readonly #limits: VectorMemoryLimits;
  readonly #log: VectorLog;

  private constructor(limits: VectorMemoryLimits, log: VectorLog) {
    this.#limits = limits;
    this.#log = log;
  }

  /** A memory before anything was seen. */
  static empty({ maxElements, dimensions, ttlMs, index }: VectorMemoryLimits): VectorMemory {
    assertWholeNumber('maxElements', maxElements);
    assertWholeNumber('dimensions', dimensions);
    if (ttlMs !== undefined && !(ttlMs >= 0)) throw new RangeError(`Expected ttlMs of at least 0, got ${ttlMs}`);
    assertWholeNumber('index.above', index?.above, 0);
    const limits = { maxElements, dimensions, ttlMs, index };
    return new VectorMemory(limits, VectorLog.of([], blockSize(limits)));
  }

  /**
   * The memory that `toBytes` gave, under limits that may be others: of too many the newest are kept. An index is not
   * among the bytes: it is made anew while vectors are added.
   *
   * @throws Error when the bytes are none, or vectors of other dimensions
   */
  static fromBytes(bytes: Uint8Array, limits: VectorMemoryLimits): VectorMemory {
    const empty = VectorMemory.empty(limits);
    const { size } = empty.#log;
    const log = VectorLog.of(decodeBlocks(bytes, limits.maxElements, size), size);
    const { dimensions } = limits;
    if (log.dimensions !== undefined && dimensions !== undefined && dimensions !== log.dimensions)
      throw new Error(`it holds vectors of ${log.dimensions} dimensions, and ${dimensions} are expected`);
    return new VectorMemory(empty.#limits, log);
  }

  /** What is held, as bytes. */
  toBytes(): Uint8Array {
    return encodeSlices(this.#log.slices());
  }

  /** How many numbers a vector has; undefined until the first vector decides. */
  get dimensions(): number | undefined {
    return this.#log.dimensions ?? this.#limits.dimensions;
  }

  /** false where an index is searched: the most similar one may then be missed. */
  get exact(): boolean {
    return !(this.#large && this.#log.slices().some(isIndexed));
  }

  /** How many vectors are held; with a time, how many of them are seen then. */
  size(now?: number): number {
    const seen = now === undefined ? undefined : this.#seenAt(now);
    if (seen === undefined) return this.#log.length;
    let count = 0;
    for (let i = 0; i < this.#log.length; i++) if (seen(this.#log.timeAt(i))) count++;
    return count;
  }

  /**
   * The cosine of the query and the vector most like it, in double precision; undefined when none is seen. A vector
   * of length 0 is like nothing: 0. Where an index is searched it is the most similar one that it found: the cosine is
   * never more than the greatest.
   */
  maxCosineSimilarity(vector: ArrayLike<number>, now: number): number | undefined {
    const query = this.#checked(vector);
    const greatest = this.#large ? approximateMaxCosine : maxCosine;
    return greatest(this.#log.slices(), query, this.#seenAt(now));
  }

  /**
   * The memory that has seen one vector more, and has forgotten what is too old or too many.
   *
   * @param graphs makes the index, where the limits ask for one; without it no more of it is made
   */
  add(vector: ArrayLike<number>, now: number, graphs?: NeighbourGraphs): VectorMemory {
    const query = this.#checked(vector);
    const next = new VectorMemory(this.#limits, this.#log.append(this.#forgotten(now), query, now));
    if (graphs) next.#file(graphs);
    return next;
  }

  /** How many of the oldest go when one more comes. One that is too old behind a younger one waits, unseen. */
  #forgotten(now: number): number {
    const seen = this.#seenAt(now);
    let count = Math.max(0, this.#log.length - this.#limits.maxElements + 1);
    if (seen) while (count < this.#log.length && !seen(this.#log.timeAt(count))) count++;
    return count;
  }

  /** Goes on with the index, where one is wanted. */
  #file(graphs: NeighbourGraphs): void {
    const { index, maxElements } = this.#limits;
    const { dimensions, size } = this.#log;
    if (!this.#large || index === undefined || dimensions === undefined) return;
    const full = this.#log.slices().flatMap(({ block, end }) => (end === size ? [block] : []));
    advanceIndex(full, graphs, {
      ...index,
      dimensions,
      blocks: Math.max(1, Math.ceil((maxElements * MAX_SEGMENT_SHARE) / size)),
    });
  }

  /** Whether there are so many vectors that the index is wanted. */
  get #large(): boolean {
    const { index } = this.#limits;
    return index !== undefined && this.#log.length > index.above;
  }

  #seenAt(now: number): TimeFilter {
    const { ttlMs } = this.#limits;
    return ttlMs === undefined ? undefined : (time) => !(now - time > ttlMs);
  }

  #checked(vector: ArrayLike<number>): QueryVector {
    const dimensions = this.dimensions ?? vector.length;
    if (vector.length !== dimensions) throw new RangeError(`Expected ${dimensions} dimensions, got ${vector.length}`);
    if (dimensions === 0) throw new RangeError('Expected a vector of at least one number');
    const floats = vector instanceof Float32Array ? vector : Float32Array.from(vector);
    const length = euclideanLength(floats);
    if (!Number.isFinite(length)) throw new RangeError('Expected a vector of finite numbers');
    return { floats, length };
  }
}
