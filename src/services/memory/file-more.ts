import { BlocksGraph } from './blocks-graph.js';
import type { GraphSettings, NeighbourGraphs } from './neighbour-graph.js';
import type { VectorBlock } from './vector-block.js';

/** Filing one vector takes about as long as scanning so many. */
const SCANNED_MEANWHILE = 2048;

/** How an index is made: its graphs, and how many blocks each of them takes. */
export interface IndexPlan extends GraphSettings {
  readonly blocks: number;
}

/**
 * Goes on with the index of some blocks, the oldest first. Only full blocks are filed: none of what is in a graph then
 * belongs to a fork that nobody has kept.
 *
 * One vector for each that is added keeps up. A memory that was read from a file has all of it before it: then it is as
 * many as make the filing take about as long as the scan that it will save.
 */
export function fileMore(blocks: readonly VectorBlock[], graphs: NeighbourGraphs, plan: IndexPlan): void {
  const missing = (block: VectorBlock): number => block.end - (block.filing?.count ?? 0);
  const open = blocks.filter((block) => missing(block) > 0);
  const backlog = open.reduce((sum, block) => sum + missing(block), 0);
  let rest = Math.min(backlog, 1 + Math.floor(backlog / SCANNED_MEANWHILE));
  for (const block of open) {
    if (rest === 0) return;
    if (block.filing === undefined) graphFor(blocks, block, graphs, plan).take(block);
    for (; rest > 0 && missing(block) > 0; rest--) block.filing?.graph.file(block);
  }
}

/** The graph of the block before it, while that has room. */
function graphFor(blocks: readonly VectorBlock[], block: VectorBlock, graphs: NeighbourGraphs, plan: IndexPlan) {
  const before = blocks[blocks.indexOf(block) - 1]?.filing?.graph;
  return before && !before.full ? before : new BlocksGraph(graphs.open(plan), block.capacity, plan.blocks);
}
