import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { toAssizeError } from '../base/index.js';

/** The share of V8's heap that candidates may fill. Ranking needs the rest. */
const LARGEST_SHARE = 0.7;

/** Growth of the heap after which it is measured again, as a share of the limit. */
const STEP = 0.05;

/** The share of the heap that must stay free while something is read at once: V8 ends the process if it finds too little. */
const SPARE_SHARE = 0.1;

/** The part of V8's limit that is reserved for new objects: three semi-spaces of 16 MB. */
const YOUNG_BYTES = 48 * 2 ** 20;

/** The bytes that V8's old space can hold. */
function oldSpaceLimit(): number {
  const { heap_size_limit: limit } = getHeapStatistics();
  return Math.max(limit - YOUNG_BYTES, limit / 2);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en-US')} MB`;

/** Stops reading before V8 runs out of heap, because that would end the process without a useful message. */
export class HeapLimit {
  readonly #limit = oldSpaceLimit();
  #next = LARGEST_SHARE * this.#limit;

  /**
   * Called between parts of a file.
   *
   * @param count number of candidates in memory
   * @throws AssizeError (ASZ113) if they leave too little of the heap
   */
  check(file: string, count: number): void {
    if (getHeapStatistics().used_heap_size < this.#next) return;
    collectGarbage(); // used_heap_size includes objects that V8 has not collected yet
    const used = getHeapStatistics().used_heap_size;
    this.#next = Math.max(this.#next, used + STEP * this.#limit);
    if (used < LARGEST_SHARE * this.#limit) return;
    const message = `the candidates of ${file} do not fit into memory: the first ${count.toLocaleString('en-US')} take ${megabytes(used)} of V8's ${megabytes(this.#limit)}`;
    const hint =
      'limit the result with select.top or --top (this helps if every entry scores candidates independently and --format is not json), or give V8 8 GB: NODE_OPTIONS=--max-old-space-size=8192';
    throw toAssizeError([{ code: 'ASZ113', message, hint }]);
  }
}

/**
 * Checks that V8's heap has room for something that is read at once.
 *
 * @param bytes how much of the heap it takes, at least
 * @param what  its name in the message, such as `the first row group of films.parquet`
 * @throws AssizeError (ASZ113) if there is less
 */
export function checkHeapFor(bytes: number, what: string, hint: string): void {
  const limit = oldSpaceLimit();
  const most = limit * (1 - SPARE_SHARE) - bytes;
  if (getHeapStatistics().used_heap_size < most) return;
  collectGarbage();
  const used = getHeapStatistics().used_heap_size;
  if (used < most) return;
  const message = `${what} does not fit into memory: reading it takes ${megabytes(bytes)}, and of V8's ${megabytes(limit)}, ${megabytes(used)} are in use`;
  throw toAssizeError([{ code: 'ASZ113', message, hint: `${hint}, or give V8 8 GB: ${MORE_MEMORY}` }]);
}

const MORE_MEMORY = 'NODE_OPTIONS=--max-old-space-size=8192';

let gc: (() => void) | undefined;

function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
  }
  gc();
}
