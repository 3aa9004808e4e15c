import { IndexSegment } from './index-segment.js';
import type { GraphSettings, NeighbourGraphs } from './neighbour-graph.js';
import type { VectorBlock } from './vector-block.js';

/** Filing one vector takes about as long as scanning so many. */
const SCANS_PER_INSERTION = 2048;

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
export function advanceIndex(blocks: readonly VectorBlock[], graphs: NeighbourGraphs, plan: IndexPlan): void {
  const missing = (block: VectorBlock): number => block.end - (block.indexState?.count ?? 0);
  const open = blocks.filter((block) => missing(block) > 0);
  const backlog = open.reduce((sum, block) => sum + missing(block), 0);
  let rest = Math.min(backlog, 1 + Math.floor(backlog / SCANS_PER_INSERTION));
  for (const block of open) {
    if (rest === 0) return;
    if (block.indexState === undefined) segmentFor(blocks, block, graphs, plan).addBlock(block);
    for (; rest > 0 && missing(block) > 0; rest--) block.indexState?.graph.indexNext(block);
  }
}

/** The graph of the block before it, while that has room. */
function segmentFor(blocks: readonly VectorBlock[], block: VectorBlock, graphs: NeighbourGraphs, plan: IndexPlan) {
  const before = blocks[blocks.indexOf(block) - 1]?.indexState?.graph;
  return before && !before.full ? before : new IndexSegment(graphs.open(plan), block.capacity, plan.blocks);
}
