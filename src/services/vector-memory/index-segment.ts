import type { NeighbourGraph } from './neighbour-graph.js';
import type { VectorBlock } from './vector-block.js';

/** How far a block is indexed: the segment has its first `count` vectors, under keys from `first` on. */
export interface BlockIndexState {
  readonly segment: IndexSegment;
  readonly first: number;
  count: number;
}

const states = new WeakMap<VectorBlock, BlockIndexState>();

/** How far a block is indexed; undefined where it is not in any segment. */
export const indexStateOf = (block: VectorBlock): BlockIndexState | undefined => states.get(block);

/**
 * The part of an index that one graph holds: the vectors of several blocks. It grows as they are indexed, and knows no
 * memory: a memory picks its own vectors out of what a search finds.
 */
export class IndexSegment {
  readonly #blocks: VectorBlock[] = [];

  /**
   * @param blockSize how many vectors a block has
   * @param maxBlocks how many blocks the segment takes
   */
  constructor(
    private readonly graph: NeighbourGraph,
    private readonly blockSize: number,
    private readonly maxBlocks: number,
  ) {}

  get full(): boolean {
    return this.#blocks.length >= this.maxBlocks;
  }

  /** Takes one more block, which has to be full; none of its vectors is indexed yet. */
  addBlock(block: VectorBlock): BlockIndexState {
    const first = this.#blocks.push(block) * this.blockSize - this.blockSize;
    const state = { segment: this, first, count: 0 };
    states.set(block, state);
    return state;
  }

  /** Indexes the next vector of a block that it took. */
  indexNext(block: VectorBlock): void {
    const state = states.get(block);
    if (state?.segment !== this) throw new Error('the block is not of this segment');
    this.graph.add(state.first + state.count, block.unitVectorAt(state.count));
    state.count += 1;
  }

  /** The rows in each block of the vectors that the graph takes for the nearest. */
  search(unit: Float32Array): ReadonlyMap<VectorBlock, readonly number[]> {
    const found = new Map<VectorBlock, number[]>();
    for (const key of this.graph.search(unit)) {
      const block = this.#blocks[Math.floor(key / this.blockSize)];
      if (block === undefined) continue;
      const rows = found.get(block);
      if (rows) rows.push(key % this.blockSize);
      else found.set(block, [key % this.blockSize]);
    }
    return found;
  }
}
