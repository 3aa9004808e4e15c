import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { toAssizeError } from '../diagnostics/index.js';

/** The share of V8's heap that candidates may fill: ranking them needs some of the rest. */
const LARGEST_SHARE = 0.7;

/** How much more of the heap may be in use before it is looked at again, as a share of the limit. */
const STEP = 0.05;

/** The part of V8's limit that new objects have to themselves: three semi-spaces of 16 MB. What stays has the rest. */
const YOUNG_BYTES = 48 * 2 ** 20;

/** How many bytes of objects that stay the heap of this process can hold. */
function oldSpaceLimit(): number {
  const { heap_size_limit: limit } = getHeapStatistics();
  return Math.max(limit - YOUNG_BYTES, limit / 2);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en-US')} MB`;

/** Ends reading before V8 runs out of heap, which would end the process with a stack of V8 and no message of ours. */
export class HeapLimit {
  readonly #limit = oldSpaceLimit();
  #next = LARGEST_SHARE * this.#limit;

  /**
   * Called between parts of a file.
   *
   * @param count how many candidates are in memory
   * @throws AssizeError (ASZ113) if they leave too little of the heap
   */
  check(file: string, count: number): void {
    if (getHeapStatistics().used_heap_size < this.#next) return;
    collectGarbage(); // What is in use includes what V8 has not collected yet.
    const used = getHeapStatistics().used_heap_size;
    this.#next = Math.max(this.#next, used + STEP * this.#limit);
    if (used < LARGEST_SHARE * this.#limit) return;
    const message = `the candidates of ${file} do not fit into memory: the first ${count.toLocaleString('en-US')} take ${megabytes(used)} of V8's ${megabytes(this.#limit)}`;
    const hint =
      'select.top or --top bounds what is kept, if each entry judges a candidate alone and --format is not json; else NODE_OPTIONS=--max-old-space-size=8192 gives V8 8 GB';
    throw toAssizeError([{ code: 'ASZ113', message, hint }]);
  }
}

let gc: (() => void) | undefined;

function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
  }
  gc();
}
