import { readLog, writeLog } from './vector-bytes.js';
import { lengthOf, VectorLog } from './vector-log.js';

/** What bounds a memory of vectors. */
export interface VectorMemoryLimits {
  /** How many vectors it holds; the oldest goes first. */
  readonly maxElements: number;
  /** How many numbers a vector has; the first vector decides when not given. */
  readonly dimensions?: number | undefined;
  /** Vectors older than this many milliseconds are not seen any more; none is too old when not given. */
  readonly ttlMs?: number | undefined;
}

const FIRST_CAPACITY = 16;

const wholeOrThrow = (name: string, value: number): void => {
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`Expected ${name} of at least 1, got ${value}`);
};

/**
 * Vectors that were seen, oldest first: an immutable value. Adding gives a new memory, and the old one still answers
 * as it did.
 *
 * Memories share one log: adding to the newest appends in place, adding to an older one copies what that one sees.
 * Vectors are kept as 32-bit floats, as embedders give them.
 */
export class VectorMemory {
  readonly #limits: VectorMemoryLimits;
  readonly #log: VectorLog | undefined;
  readonly #start: number;
  readonly #end: number;

  private constructor(limits: VectorMemoryLimits, log: VectorLog | undefined, start: number, end: number) {
    this.#limits = limits;
    this.#log = log;
    this.#start = start;
    this.#end = end;
  }

  /** A memory before anything was seen. */
  static empty({ maxElements, dimensions, ttlMs }: VectorMemoryLimits): VectorMemory {
    wholeOrThrow('maxElements', maxElements);
    if (dimensions !== undefined) wholeOrThrow('dimensions', dimensions);
    if (ttlMs !== undefined && !(ttlMs >= 0)) throw new RangeError(`Expected ttlMs of at least 0, got ${ttlMs}`);
    return new VectorMemory({ maxElements, dimensions, ttlMs }, undefined, 0, 0);
  }

  /**
   * The memory that `toBytes` gave, under limits that may be others: of too many the newest are kept.
   *
   * @throws Error when the bytes are none, or vectors of other dimensions
   */
  static fromBytes(bytes: Uint8Array, limits: VectorMemoryLimits): VectorMemory {
    const empty = VectorMemory.empty(limits);
    const log = readLog(bytes, limits.maxElements);
    if (log === undefined) return empty;
    const { dimensions } = empty;
    if (dimensions !== undefined && dimensions !== log.dimensions)
      throw new Error(`it holds vectors of ${log.dimensions} dimensions, and ${dimensions} are expected`);
    return new VectorMemory(empty.#limits, log, 0, log.end);
  }

  /** What is held, as bytes. */
  toBytes(): Uint8Array {
    return writeLog(this.#log, this.#start, this.#end);
  }

  /** How many numbers a vector has; undefined until the first vector decides. */
  get dimensions(): number | undefined {
    return this.#log?.dimensions ?? this.#limits.dimensions;
  }

  /** How many vectors are held; with a time, how many of them are seen then. */
  size(now?: number): number {
    if (now === undefined || this.#limits.ttlMs === undefined) return this.#end - this.#start;
    const seen = this.#seenAt(now);
    let count = 0;
    for (let i = this.#start; i < this.#end; i++) if (seen(this.#log!.timeOf(i))) count++;
    return count;
  }

  /**
   * The cosine of the query and the vector most like it, in double precision; undefined when none is seen. A vector
   * of length 0 is like nothing: 0.
   */
  maxCosineSimilarity(query: ArrayLike<number>, now: number): number | undefined {
    const floats = this.#checked(query).floats;
    return this.#log?.greatestCosine(floats, this.#start, this.#end, this.#seenAt(now));
  }

  /** The memory that has seen one vector more, and has forgotten what is too old or too many. */
  add(vector: ArrayLike<number>, now: number): VectorMemory {
    const { floats, length } = this.#checked(vector);
    const start = this.#startAfterEviction(now);
    const live = this.#end - start;
    const appendable = this.#log?.end === this.#end && this.#end < this.#log.capacity;
    // Twice the room that is needed: a copy is then paid for by as many vectors as it copies.
    const room = Math.max(FIRST_CAPACITY, 2 * (live + 1));
    const log = appendable
      ? this.#log
      : (this.#log?.copy(start, this.#end, room) ?? new VectorLog(floats.length, room));
    log.append(floats, length, now);
    return new VectorMemory(this.#limits, log, log.end - live - 1, log.end);
  }

  /** Where the vectors begin that stay when one more comes. One that is too old behind a younger one waits, unseen. */
  #startAfterEviction(now: number): number {
    const seen = this.#seenAt(now);
    let start = Math.max(this.#start, this.#end - this.#limits.maxElements + 1);
    while (start < this.#end && !seen(this.#log!.timeOf(start))) start++;
    return start;
  }

  #seenAt(now: number): (time: number) => boolean {
    const { ttlMs } = this.#limits;
    return ttlMs === undefined ? () => true : (time) => !(now - time > ttlMs);
  }

  #checked(vector: ArrayLike<number>): { readonly floats: Float32Array; readonly length: number } {
    const dimensions = this.dimensions ?? vector.length;
    if (vector.length !== dimensions) throw new RangeError(`Expected ${dimensions} dimensions, got ${vector.length}`);
    if (dimensions === 0) throw new RangeError('Expected a vector of at least one number');
    const floats = vector instanceof Float32Array ? vector : Float32Array.from(vector);
    const length = lengthOf(floats);
    if (!Number.isFinite(length)) throw new RangeError('Expected a vector of finite numbers');
    return { floats, length };
  }
}
