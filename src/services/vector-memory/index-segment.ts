import type { NeighbourGraph } from './neighbour-graph.js';
import type { VectorBlock } from './vector-block.js';

/**
 * The graph of several blocks. Which memories hold them it does not know: it grows as their vectors are filed, and who
 * searches it looks up which of those that it finds are his.
 */
export class IndexSegment {
  readonly #blocks: VectorBlock[] = [];

  /**
   * @param size how many vectors a block has
   * @param most how many blocks it takes
   */
  constructor(
    private readonly graph: NeighbourGraph,
    private readonly size: number,
    private readonly most: number,
  ) {}

  get full(): boolean {
    return this.#blocks.length >= this.most;
  }

  /** Begins with one more block, which has to be full. */
  addBlock(block: VectorBlock): void {
    const first = this.#blocks.push(block) * this.size - this.size;
    block.indexState = { graph: this, first, count: 0 };
  }

  /** Files the next vector of a block that it took. */
  indexNext(block: VectorBlock): void {
    if (block.indexState?.graph !== this) throw new Error('the block is not of this graph');
    this.graph.add(block.indexState.first + block.indexState.count, block.unitVectorAt(block.indexState.count));
    block.indexState.count += 1;
  }

  /** The vectors that it takes for the nearest: where they are in each block. */
  search(unit: Float32Array): ReadonlyMap<VectorBlock, readonly number[]> {
    const found = new Map<VectorBlock, number[]>();
    for (const key of this.graph.search(unit)) {
      const block = this.#blocks[Math.floor(key / this.size)];
      if (block === undefined) continue;
      const rows = found.get(block);
      if (rows) rows.push(key % this.size);
      else found.set(block, [key % this.size]);
    }
    return found;
  }
}
