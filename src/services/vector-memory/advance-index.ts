import { IndexSegment, indexStateOf } from './index-segment.js';
import type { GraphSettings, NeighbourGraphs } from './neighbour-graph.js';
import type { VectorBlock } from './vector-block.js';

/** Indexing one vector takes about as long as scanning so many. */
const SCANS_PER_INSERTION = 2048;

/** How an index is made: its graphs, and how many blocks a segment takes. */
export interface IndexPlan extends GraphSettings {
  readonly blocks: number;
}

/**
 * Indexes some more vectors of full blocks, the oldest first. Only full blocks are indexed: a graph then has nothing of
 * a fork that was dropped.
 *
 * One vector for each that is added keeps up. A memory read from a file has a backlog: then it is as many as make the
 * indexing take about as long as the scan that it will save.
 */
export function advanceIndex(blocks: readonly VectorBlock[], graphs: NeighbourGraphs, plan: IndexPlan): void {
  const missing = (block: VectorBlock): number => block.end - (indexStateOf(block)?.count ?? 0);
  const open = blocks.filter((block) => missing(block) > 0);
  const backlog = open.reduce((sum, block) => sum + missing(block), 0);
  let rest = Math.min(backlog, 1 + Math.floor(backlog / SCANS_PER_INSERTION));
  for (const block of open) {
    if (rest === 0) return;
    const { segment } = indexStateOf(block) ?? segmentFor(blocks, block, graphs, plan).addBlock(block);
    for (; rest > 0 && missing(block) > 0; rest--) segment.indexNext(block);
  }
}

/** The segment of the block before it while that has room, else a new one. */
function segmentFor(blocks: readonly VectorBlock[], block: VectorBlock, graphs: NeighbourGraphs, plan: IndexPlan) {
  const previous = blocks[blocks.indexOf(block) - 1];
  const before = previous && indexStateOf(previous)?.segment;
  return before && !before.full ? before : new IndexSegment(graphs.open(plan), block.capacity, plan.blocks);
}
