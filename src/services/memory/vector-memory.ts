import { fileMore } from './file-more.js';
import type { NeighbourGraphs } from './neighbour-graph.js';
import { readBlocks, writeBlocks } from './vector-bytes.js';
import { lengthOf, type Query, type Seen, unitOf, VectorBlock } from './vector-block.js';

/** An approximate index: what it is made with, in the words of the HNSW paper. */
export interface VectorIndexSettings {
  /**
   * So many vectors make a block, which has one graph. The newest block, while it fills, and those whose graph is not
   * finished are scanned; so a memory of no more than this is exact.
   */
  readonly above: number;
  readonly m: number;
  readonly efConstruction: number;
  readonly efSearch: number;
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

/** A block as one memory sees it. */
export interface Part {
  readonly block: VectorBlock;
  /** Whether its graph answers for it. Once it does it always does: a memory never changes its answers. */
  readonly filed: boolean;
}

/** What a block begins with, and what it may grow to where no index says otherwise. */
const [FIRST_CAPACITY, MOST_CAPACITY] = [16, 4096];

const wholeOrThrow = (name: string, value: number | undefined): void => {
  if (value !== undefined && (!Number.isInteger(value) || value < 1))
    throw new RangeError(`Expected ${name} of at least 1, got ${value}`);
};

/** How many vectors a block takes: the same for all blocks of a memory, of which only the last may be less than full. */
const blockSize = ({ maxElements, index }: VectorMemoryLimits): number =>
  index?.above ?? Math.min(MOST_CAPACITY, Math.max(FIRST_CAPACITY, maxElements));

/**
 * Vectors that were seen, oldest first: an immutable value. Adding gives a new memory, and the old one still answers
 * as it did.
 *
 * Memories share blocks of vectors: adding to the newest memory appends to its last block in place, adding to an older
 * one copies that block as far as it sees it. Vectors are kept as 32-bit floats, as embedders give them.
 */
export class VectorMemory {
  readonly #limits: VectorMemoryLimits;
  readonly #parts: readonly Part[];
  /** Where the vectors begin and end that are held, counted from the beginning of the first part. */
  readonly #start: number;
  readonly #end: number;

  private constructor(limits: VectorMemoryLimits, parts: readonly Part[], start: number, end: number) {
    this.#limits = limits;
    this.#parts = parts;
    this.#start = start;
    this.#end = end;
  }

  /** A memory before anything was seen. */
  static empty({ maxElements, dimensions, ttlMs, index }: VectorMemoryLimits): VectorMemory {
    wholeOrThrow('maxElements', maxElements);
    wholeOrThrow('dimensions', dimensions);
    if (ttlMs !== undefined && !(ttlMs >= 0)) throw new RangeError(`Expected ttlMs of at least 0, got ${ttlMs}`);
    for (const name of ['above', 'm', 'efConstruction', 'efSearch'] as const)
      wholeOrThrow(`index.${name}`, index?.[name]);
    return new VectorMemory({ maxElements, dimensions, ttlMs, index }, [], 0, 0);
  }

  /**
   * The memory that `toBytes` gave, under limits that may be others: of too many the newest are kept. An index is not
   * among the bytes: it is made anew while vectors are added.
   *
   * @throws Error when the bytes are none, or vectors of other dimensions
   */
  static fromBytes(bytes: Uint8Array, limits: VectorMemoryLimits): VectorMemory {
    const empty = VectorMemory.empty(limits);
    const blocks = readBlocks(bytes, limits.maxElements, blockSize(limits));
    const [found] = blocks;
    if (found === undefined) return empty;
    if (limits.dimensions !== undefined && limits.dimensions !== found.dimensions)
      throw new Error(`it holds vectors of ${found.dimensions} dimensions, and ${limits.dimensions} are expected`);
    const parts = blocks.map((block) => ({ block, filed: false }));
    return new VectorMemory(empty.#limits, parts, 0, endOf(parts, blockSize(limits)));
  }

  /** What is held, as bytes. */
  toBytes(): Uint8Array {
    return writeBlocks([...this.#slices()]);
  }

  /** How many numbers a vector has; undefined until the first vector decides. */
  get dimensions(): number | undefined {
    return this.#parts[0]?.block.dimensions ?? this.#limits.dimensions;
  }

  /** false where a part of it is searched by its index: what is then said to be the most similar may be the second. */
  get exact(): boolean {
    return !this.#parts.some(({ filed }) => filed);
  }

  /** How many vectors are held; with a time, how many of them are seen then. */
  size(now?: number): number {
    const seen = now === undefined ? undefined : this.#seenAt(now);
    if (seen === undefined) return this.#end - this.#start;
    let count = 0;
    for (const { block, first, end } of this.#slices())
      for (let i = first; i < end; i++) if (seen(block.timeOf(i))) count++;
    return count;
  }

  /**
   * The cosine of the query and the vector most like it, in double precision; undefined when none is seen. A vector
   * of length 0 is like nothing: 0. Where an index answers it is the cosine of the most similar one that was found:
   * never more than the greatest.
   */
  maxCosineSimilarity(vector: ArrayLike<number>, now: number): number | undefined {
    const query = this.#checked(vector);
    const seen = this.#seenAt(now);
    let unit: Float32Array | undefined;
    let greatest: number | undefined;
    for (const { block, filed, first, end } of this.#slices()) {
      let found: number | undefined;
      if (filed && block.graph) {
        unit ??= unitOf(query.floats, query.length);
        found = block.greatestCosineAmong(query, block.graph.search(unit), first, seen);
      }
      // All that it found may be too old, or gone.
      if (found === undefined) greatest = block.greatestCosine(query, first, end, seen, greatest);
      else greatest = Math.max(found, greatest ?? found);
    }
    return greatest;
  }

  /**
   * The memory that has seen one vector more, and has forgotten what is too old or too many.
   *
   * @param graphs makes the index, where the limits ask for one; without it no more of it is made
   */
  add(vector: ArrayLike<number>, now: number, graphs?: NeighbourGraphs): VectorMemory {
    const { floats, length } = this.#checked(vector);
    const { index } = this.#limits;
    const size = blockSize(this.#limits);
    const evicted = this.#startAfterEviction(now);
    // Blocks of which nothing is held any more are let go.
    const gone = Math.min(Math.floor(evicted / size), this.#parts.length);
    const kept = gone === 0 ? this.#parts : this.#parts.slice(gone);
    const [start, end] = [evicted - gone * size, this.#end - gone * size];
    const last = kept.at(-1);
    const used = last === undefined ? size : end - (kept.length - 1) * size;
    const tail = used === size ? undefined : last?.block;
    let [parts, from] = [kept, start];
    if (tail === undefined) {
      const capacity = index || kept.length > 0 ? size : FIRST_CAPACITY;
      parts = [...kept, { block: new VectorBlock(floats.length, capacity), filed: false }];
    } else if (tail.end !== used || used === tail.capacity) {
      // What a single block has forgotten is not copied.
      const first = kept.length === 1 ? start : 0;
      from -= first;
      // Twice the room that is needed: a copy is then paid for by as many vectors as it copies.
      const capacity = index ? size : Math.min(size, Math.max(FIRST_CAPACITY, 2 * (used - first + 1)));
      parts = [...kept.slice(0, -1), { block: tail.copy(first, used, capacity), filed: false }];
    }
    parts.at(-1)?.block.append(floats, length, now);
    if (index && graphs) parts = fileMore(parts, graphs, { ...index, dimensions: floats.length });
    return new VectorMemory(this.#limits, parts, from, endOf(parts, size));
  }

  /** Where the vectors begin that stay when one more comes. One that is too old behind a younger one waits, unseen. */
  #startAfterEviction(now: number): number {
    const seen = this.#seenAt(now);
    const size = blockSize(this.#limits);
    let start = Math.max(this.#start, this.#end - this.#limits.maxElements + 1);
    if (seen === undefined) return start;
    const timeAt = (at: number): number => this.#parts[Math.floor(at / size)]?.block.timeOf(at % size) ?? now;
    while (start < this.#end && !seen(timeAt(start))) start++;
    return start;
  }

  /** The parts, each with where in it the vectors begin and end that are held. */
  *#slices(): Generator<Part & { readonly first: number; readonly end: number }> {
    const size = blockSize(this.#limits);
    for (const [k, { block, filed }] of this.#parts.entries()) {
      const [first, end] = [Math.max(0, this.#start - k * size), Math.min(size, this.#end - k * size)];
      yield { block, filed, first, end };
    }
  }

  #seenAt(now: number): Seen {
    const { ttlMs } = this.#limits;
    return ttlMs === undefined ? undefined : (time) => !(now - time > ttlMs);
  }

  #checked(vector: ArrayLike<number>): Query {
    const dimensions = this.dimensions ?? vector.length;
    if (vector.length !== dimensions) throw new RangeError(`Expected ${dimensions} dimensions, got ${vector.length}`);
    if (dimensions === 0) throw new RangeError('Expected a vector of at least one number');
    const floats = vector instanceof Float32Array ? vector : Float32Array.from(vector);
    const length = lengthOf(floats);
    if (!Number.isFinite(length)) throw new RangeError('Expected a vector of finite numbers');
    return { floats, length };
  }
}

/** Where the vectors end that the newest memory of these parts has. */
const endOf = (parts: readonly Part[], size: number): number =>
  (parts.length - 1) * size + (parts.at(-1)?.block.end ?? 0);
