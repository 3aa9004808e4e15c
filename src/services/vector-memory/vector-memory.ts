import {
  advanceIndex,
  approximateMaxCosine,
  type GraphSettings,
  isIndexed,
  maxCosine,
  type NeighbourGraphs,
} from './vector-index.js';
import { euclideanLength, type QueryVector, type TimeFilter } from './vector-block.js';
import { decodeBlocks, encodeSlices, VectorLog } from './vector-log.js';

/** The settings of an approximate index, in the terms of the HNSW paper. */
export interface VectorIndexSettings extends Omit<GraphSettings, 'dimensions'> {
  /** Up to so many vectors, a memory compares with all of them. */
  readonly above: number;
}

/** The limits of a memory of vectors. */
export interface VectorMemoryLimits {
  /** How many vectors it holds; the oldest goes first. */
  readonly maxElements: number;
  /** How many numbers a vector has; the first vector decides when not given. */
  readonly dimensions?: number | undefined;
  /** Vectors older than this many milliseconds do not count any more; none is too old when not given. */
  readonly ttlMs?: number | undefined;
  /** Searches by an index; when not given, every vector is compared. */
  readonly index?: VectorIndexSettings | undefined;
}

/** A fork copies up to a block, and memory is freed by the block: a small part of a memory, and never much. */
const [BLOCKS_PER_MEMORY, MIN_BLOCK_SIZE, MAX_BLOCK_SIZE] = [8, 64, 4096];
const blockSize = ({ maxElements }: VectorMemoryLimits): number =>
  Math.min(MAX_BLOCK_SIZE, Math.max(MIN_BLOCK_SIZE, Math.ceil(maxElements / BLOCKS_PER_MEMORY)));

/** The share of a memory that one graph takes: evicted vectors are freed only with their whole graph. */
const MAX_SEGMENT_SHARE = 1 / 2;

const assertWholeNumber = (name: string, value: number | undefined, least = 1): void => {
  if (value !== undefined && (!Number.isInteger(value) || value < least))
    throw new RangeError(`Expected ${name} of at least ${least}, got ${value}`);
};

/**
 * Vectors in the order in which they were added: an immutable value. Adding gives a new memory, and the old one still
 * answers as it did.
 *
 * Memories share their vectors, which are stored as 32-bit floats, as embedders give them. They share an index as well,
 * if they have one: it grows, so that an old memory may then find by it what it missed before, or miss what it
 * found. The cosine of a vector that it finds is always exact.
 */
export class VectorMemory {
  readonly #limits: VectorMemoryLimits;
  readonly #log: VectorLog;

  private constructor(limits: VectorMemoryLimits, log: VectorLog) {
    this.#limits = limits;
    this.#log = log;
  }

  /** A memory without vectors. */
  static empty({ maxElements, dimensions, ttlMs, index }: VectorMemoryLimits): VectorMemory {
    assertWholeNumber('maxElements', maxElements);
    assertWholeNumber('dimensions', dimensions);
    if (ttlMs !== undefined && !(ttlMs >= 0)) throw new RangeError(`Expected ttlMs of at least 0, got ${ttlMs}`);
    assertWholeNumber('index.above', index?.above, 0);
    const limits = { maxElements, dimensions, ttlMs, index };
    return new VectorMemory(limits, VectorLog.of([], blockSize(limits)));
  }

  /**
   * Decodes a memory that `toBytes` encoded, under limits that may be others: of too many vectors the newest are kept.
   * An index is not among the bytes: it is made anew while vectors are added.
   *
   * @throws Error where the bytes are no vectors, or vectors of other dimensions
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

  /** The vectors and their times, as bytes. */
  toBytes(): Uint8Array {
    return encodeSlices(this.#log.slices());
  }

  /** How many numbers a vector has; undefined until the first vector decides. */
  get dimensions(): number | undefined {
    return this.#log.dimensions ?? this.#limits.dimensions;
  }

  /** false if an index is searched: the most similar one may then be missed. */
  get exact(): boolean {
    return !(this.#large && this.#log.slices().some(isIndexed));
  }

  /** How many vectors there are; with a time, how many of them count then. */
  size(now?: number): number {
    const counts = now === undefined ? undefined : this.#timeFilter(now);
    if (counts === undefined) return this.#log.length;
    let count = 0;
    for (let i = 0; i < this.#log.length; i++) if (counts(this.#log.timeAt(i))) count++;
    return count;
  }

  /**
   * The greatest cosine of the query and a vector that counts, in double precision; undefined if none does. With a
   * vector of length 0 the cosine is 0. Where an index is searched it is that of the most similar vector found, which
   * is never more than the greatest.
   */
  maxCosineSimilarity(vector: ArrayLike<number>, now: number): number | undefined {
    const query = this.#checked(vector);
    const greatest = this.#large ? approximateMaxCosine : maxCosine;
    return greatest(this.#log.slices(), query, this.#timeFilter(now));
  }

  /**
   * The memory with one vector more, and without those that are too old or too many.
   *
   * @param graphs makes the index where the limits have one; without it the index does not grow
   */
  add(vector: ArrayLike<number>, now: number, graphs?: NeighbourGraphs): VectorMemory {
    const query = this.#checked(vector);
    const next = new VectorMemory(this.#limits, this.#log.append(this.#evictionCount(now), query, now));
    if (graphs) next.#advanceIndex(graphs);
    return next;
  }

  /**
   * How many of the oldest to evict for one more. One that is too old behind a younger one stays, and does not count.
   */
  #evictionCount(now: number): number {
    const counts = this.#timeFilter(now);
    let count = Math.max(0, this.#log.length - this.#limits.maxElements + 1);
    if (counts) while (count < this.#log.length && !counts(this.#log.timeAt(count))) count++;
    return count;
  }

  /** Lets the index grow if there is one. */
  #advanceIndex(graphs: NeighbourGraphs): void {
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

  /** Whether there are so many vectors that the index is used. */
  get #large(): boolean {
    const { index } = this.#limits;
    return index !== undefined && this.#log.length > index.above;
  }

  #timeFilter(now: number): TimeFilter {
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
