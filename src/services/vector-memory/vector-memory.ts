import {
  advanceIndex,
  approximateMaxCosine,
  type GraphSettings,
  isIndexed,
  maxCosine,
  type NeighbourGraphs,
} from './vector-index.js';
import { COSINE_ROUNDING, euclideanLength, type QueryVector, type VectorMark } from './vector-block.js';
import { decodeBlocks, decodeRows, encodeSlices } from './vector-bytes.js';
import { type BlockSlice, type LogPlace, VectorLog } from './vector-log.js';

/** The settings of an approximate index, with the names of the HNSW paper. */
export interface VectorIndexSettings extends Omit<GraphSettings, 'dimensions'> {
  /** The index is used only if a memory has more vectors than this. */
  readonly above: number;
}

/** The limits of a memory of vectors. */
export interface VectorMemoryLimits {
  /** The maximum number of vectors. The oldest are evicted first. */
  readonly maxElements: number;
  /** The length of a vector. Default: that of the first vector. */
  readonly dimensions?: number | undefined;
  /** Vectors older than this many milliseconds are ignored. Default: unlimited. */
  readonly ttlMs?: number | undefined;
  /** Searches with an index. Default: compares every vector. */
  readonly index?: VectorIndexSettings | undefined;
}

/** A block is a small part of a memory, because a fork copies up to a block, and memory is freed by the block. */
const [BLOCKS_PER_MEMORY, MIN_BLOCK_SIZE, MAX_BLOCK_SIZE] = [8, 64, 4096];
const blockSize = ({ maxElements }: VectorMemoryLimits): number =>
  Math.min(MAX_BLOCK_SIZE, Math.max(MIN_BLOCK_SIZE, Math.ceil(maxElements / BLOCKS_PER_MEMORY)));

/** The maximum share of a memory in one graph. Evicted vectors are freed only with their whole graph. */
const MAX_SEGMENT_SHARE = 1 / 2;

const assertWholeNumber = (name: string, value: number | undefined, least = 1): void => {
  if (value !== undefined && (!Number.isInteger(value) || value < least))
    throw new RangeError(`Expected ${name} of at least ${least}, got ${value}`);
};

/**
 * An immutable list of vectors in the order in which they were added. Adding a vector returns a new memory and does not
 * change the old one.
 *
 * Memories share their vectors, which are stored as 32-bit floats, as embedders return them. They also share an index.
 * As the index grows, searches of an old memory may find other vectors than before. Cosines are always exact.
 */
export class VectorMemory {
  readonly #limits: VectorMemoryLimits;
  readonly #log: VectorLog;
  /** The number of vectors that were added to it and to the memories before it. */
  readonly #added: number;

  private constructor(limits: VectorMemoryLimits, log: VectorLog, added = 0) {
    this.#limits = limits;
    this.#log = log;
    this.#added = added;
  }

  static empty({ maxElements, dimensions, ttlMs, index }: VectorMemoryLimits): VectorMemory {
    assertWholeNumber('maxElements', maxElements);
    assertWholeNumber('dimensions', dimensions);
    if (ttlMs !== undefined && !(ttlMs >= 0)) throw new RangeError(`Expected ttlMs of at least 0, got ${ttlMs}`);
    assertWholeNumber('index.above', index?.above, 0);
    const limits = { maxElements, dimensions, ttlMs, index };
    return new VectorMemory(limits, VectorLog.of([], blockSize(limits)));
  }

  /**
   * Decodes a memory that `toBytes` encoded. The limits may differ: keeps the newest vectors if there are too many. The
   * bytes do not include the index, which is built again while vectors are added.
   *
   * @throws Error if the bytes are not vectors, or have other dimensions
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

  /** Encodes the vectors and their times. */
  toBytes(): Uint8Array {
    return encodeSlices(this.#log.slices());
  }

  /**
   * Encodes the vectors that were added to an earlier memory, for `withChanges`; undefined if the whole memory must be
   * stored.
   */
  changesSince(earlier: VectorMemory): Uint8Array | undefined {
    if (this.#log.copies !== earlier.#log.copies || this.#added < earlier.#added) return undefined;
    return encodeSlices(this.#log.slices(this.#added - earlier.#added));
  }

  /**
   * Adds the vectors that `changesSince` encoded, as they were added to the earlier memory.
   *
   * @throws Error if the bytes are not vectors, or have other dimensions
   */
  withChanges(bytes: Uint8Array): VectorMemory {
    let next: VectorMemory | undefined;
    for (const { vector, time, mark } of decodeRows(bytes))
      next = (next ?? this).add(vector.floats, time, undefined, mark);
    return next ?? this;
  }

  /** The length of a vector; undefined if it is not limited and the memory is empty. */
  get dimensions(): number | undefined {
    return this.#log.dimensions ?? this.#limits.dimensions;
  }

  /** False if searches use an index, which may miss the most similar vector. */
  get exact(): boolean {
    return !(this.#large && this.#log.slices().some(isIndexed));
  }

  /** The number of vectors; with `now`, only those that are not too old. */
  size(now?: number): number {
    const counts = now === undefined ? undefined : this.#timeFilter(now);
    if (counts === undefined) return this.#log.length;
    let count = 0;
    for (let i = 0; i < this.#log.places; i++) {
      const time = this.#log.timeAt(i);
      if (time !== undefined && counts(time)) count++;
    }
    return count;
  }

  /**
   * The greatest cosine of the query and the vectors that are not too old, in double precision; undefined if there are
   * none. The cosine of a zero vector is 0. With an index it is the cosine of the most similar vector found.
   *
   * @param exceptId the id of a vector that is not compared
   */
  maxCosineSimilarity(vector: ArrayLike<number>, now: number, exceptId?: string): number | undefined {
    const query = this.#checked(vector);
    const greatest = this.#large ? approximateMaxCosine : maxCosine;
    return greatest(this.#slices(now, exceptId === undefined ? undefined : this.#log.find(exceptId)), query);
  }

  /**
   * What is known about the vector of an id; undefined if the memory has no vector of this id that is not too old, or another
   * one. A scaled vector is the same.
   */
  recall(id: string, vector: ArrayLike<number>, now: number): VectorMark | undefined {
    const found = this.#log.find(id);
    if (found === undefined) return undefined;
    const { block, row } = found;
    if (this.#timeFilter(now)?.(block.timeOf(row)) === false) return undefined;
    const query = this.#checked(vector);
    const same =
      block.cosineAt(query, row) >= 1 - COSINE_ROUNDING || block.vectorAt(row).every((x, i) => x === query.floats[i]);
    return same ? block.markOf(row) : undefined;
  }

  /**
   * Returns the memory with one more vector, and without the oldest ones that are too old or too many.
   *
   * @param graphs creates the graphs of the index; without it the index does not grow
   * @param mark replaces the vector with the same id, if there is one
   */
  add(vector: ArrayLike<number>, now: number, graphs?: NeighbourGraphs, mark?: VectorMark): VectorMemory {
    const query = this.#checked(vector);
    const replaced = mark && this.#log.find(mark.id);
    const log = replaced ? this.#log.without(replaced) : this.#log;
    const appended = log.append(this.#evictionCount(log, now), query, now, mark);
    const next = new VectorMemory(this.#limits, appended, this.#added + 1);
    if (graphs) next.#advanceIndex(graphs);
    return next;
  }

  /** How many of the oldest places to drop for one more vector. Vectors that are too old but not at the front stay, ignored. */
  #evictionCount(log: VectorLog, now: number): number {
    const counts = this.#timeFilter(now);
    let excess = log.length - this.#limits.maxElements + 1;
    let count = 0;
    for (; count < log.places; count++) {
      const time = log.timeAt(count);
      if (time === undefined) continue; // It was removed.
      if (excess <= 0 && counts?.(time) !== false) break;
      excess -= 1;
    }
    return count;
  }

  /** The slices with the vectors that are compared. */
  #slices(now: number, except: LogPlace | undefined): readonly BlockSlice[] {
    const slices = this.#log.slices();
    const counts = this.#timeFilter(now);
    if (counts === undefined && except === undefined) return slices;
    return slices.map((slice) => {
      const { block, includes } = slice;
      const exceptRow = except?.block === block ? except.row : undefined;
      if (counts === undefined && exceptRow === undefined) return slice;
      const compared = (row: number): boolean =>
        row !== exceptRow && includes?.(row) !== false && counts?.(block.timeOf(row)) !== false;
      return { ...slice, includes: compared };
    });
  }

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

  /** Whether the memory has enough vectors to use the index. */
  get #large(): boolean {
    const { index } = this.#limits;
    return index !== undefined && this.#log.length > index.above;
  }

  #timeFilter(now: number): ((time: number) => boolean) | undefined {
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
