import type { NeighbourGraph } from './neighbour-graph.js';
import type { VectorBlock } from './vector-block.js';

/**
 * The index of one block. Vectors are filed in order, a few at a time; it is searched only once it has a full block,
 * and from then on it never changes.
 */
export class BlockGraph {
  #filed = 0;

  constructor(
    private readonly block: VectorBlock,
    private readonly graph: NeighbourGraph,
  ) {}

  /** How many vectors it has. */
  get filed(): number {
    return this.#filed;
  }

  /** Files the next vectors, up to the one at `end`. */
  file(end: number): void {
    while (this.#filed < end) this.graph.add(this.block.unitAt(this.#filed++));
  }

  /** Where the vectors are that it takes for the nearest. */
  search(unit: Float32Array): ArrayLike<number> {
    return this.graph.search(unit);
  }
}
