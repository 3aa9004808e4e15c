import { BlockGraph } from './block-graph.js';
import type { GraphSettings, NeighbourGraphs } from './neighbour-graph.js';
import type { Part } from './vector-memory.js';

/** Filing one vector takes about as long as scanning so many. */
const SCANNED_MEANWHILE = 2048;

/**
 * Goes on with the graphs of blocks that have none yet, the oldest first, and gives the parts with those that are
 * finished in use.
 *
 * One vector for each that is added keeps up. A memory that was read from a file has all of it before it: then it is as
 * many as make the filing take about as long as the scan that it will save.
 */
export function fileMore(parts: readonly Part[], graphs: NeighbourGraphs, settings: GraphSettings): readonly Part[] {
  const first = parts.findIndex(({ filed }) => !filed);
  if (first === -1) return parts;
  const open = parts.slice(first);
  const backlog = open.reduce((sum, { block }) => sum + block.end - (block.graph?.filed ?? 0), 0);
  let rest = 1 + Math.floor(backlog / SCANNED_MEANWHILE);
  const now = open.map((part): Part => {
    const { block } = part;
    if (rest === 0) return part;
    const graph = (block.graph ??= new BlockGraph(block, graphs.open(settings)));
    const end = Math.min(block.end, graph.filed + rest);
    rest -= end - graph.filed;
    graph.file(end);
    return graph.filed === block.capacity ? { block, filed: true } : part;
  });
  return [...parts.slice(0, first), ...now];
}
