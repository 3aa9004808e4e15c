import { abstain, type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/unit-sdk.js';
import { abstainAlways, graphAndTools, nodeReasons, relatedParams, scoreByNode } from './node-score.js';
import type { ToolGraph } from './tool-graph.js';

/** The params that set the confidence of a path by its number of edges. */
export const hopParams = {
  confidences: z
    .array(z.number().min(0).max(1))
    .min(1)
    .default([0.95, 0.8, 0.65])
    .describe('The confidence of a path of 1 edge, of 2 edges, and so on.'),
  beyond: z.number().min(0).max(1).default(0.5).describe('The confidence of longer paths.'),
};

/** The confidence of a path with a number of edges. */
export const hopConfidence = (
  { confidences, beyond }: { readonly confidences: readonly number[]; readonly beyond: number },
  hops: number,
): number => confidences[hops - 1] ?? beyond;

type Params = ParamsOf<typeof PathScorer>;

/**
 * Scores how close a candidate's node is to the tools in use, along the direction of edges. A hop is one edge. It
 * abstains if no path leads to the node, and on a tool in use.
 */
export class PathScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours nodes that are few edges away from a tool in use in the graph.',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      ...hopParams,
      path: z.enum(['fewest_hops', 'cheapest']).default('fewest_hops').describe('The path to use.'),
      least_weight: z
        .number()
        .positive()
        .default(0.1)
        .describe('For the cheapest path: the least weight of an edge, whose cost is 1 / weight.'),
      give: z
        .enum(['confidence', 'hops', 'cost'])
        .default('confidence')
        .describe('The property of the path to use as the score.'),
    }),
    range: ({ give }) => (give === 'confidence' ? [0, 1] : [0, Number.POSITIVE_INFINITY]),
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      reached: '{hops} hops from a tool in use',
      unreached: 'no path leads there from any tool in use',
      in_use: 'it is a tool in use',
    },
  });

  prepare(params: Params, run: Run): Score<unknown> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const { path, least_weight, give } = params;
    const { hops, costs } = path === 'cheapest' ? cheapestPaths(graph, used, least_weight) : fewestHops(graph, used);
    return scoreByNode(graph, params.node, undefined, (node, note) => {
      const count = hops[node]!;
      if (count <= 0) return abstain(note, count < 0 ? 'unreached' : 'in_use');
      note?.('reached', { hops: count });
      if (give === 'hops') return count;
      return give === 'cost' ? costs[node] : hopConfidence(params, count);
    });
  }
}

/**
 * The best path from any of several start nodes to each node: its number of edges and its cost; −1 and ∞ if there is no
 * path.
 */
interface ShortestPaths {
  readonly hops: Int32Array;
  readonly costs: Float64Array;
}

/** Finds the paths with the fewest edges by breadth-first search, along the direction of edges. Each edge costs 1. */
export function fewestHops(graph: ToolGraph, from: readonly number[]): ShortestPaths {
  const { starts, targets } = graph.out;
  const hops = new Int32Array(graph.order).fill(-1);
  const queue = [...from];
  for (const node of from) hops[node] = 0;
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at]!;
    for (let k = starts[node]!; k < starts[node + 1]!; k++) {
      const target = targets[k]!;
      if (hops[target] !== -1) continue;
      hops[target] = hops[node]! + 1;
      queue.push(target);
    }
  }
  return { hops, costs: Float64Array.from(hops, (count) => (count < 0 ? Number.POSITIVE_INFINITY : count)) };
}

/**
 * Finds the cheapest paths by Dijkstra's algorithm with a binary heap. An edge costs `1 / max(weight, least)`, so that
 * strong connections are short. Of paths with equal cost, the one with fewer edges wins.
 */
function cheapestPaths(graph: ToolGraph, from: readonly number[], least: number): ShortestPaths {
  const { starts, targets, weights } = graph.out;
  const hops = new Int32Array(graph.order).fill(-1);
  const costs = new Float64Array(graph.order).fill(Number.POSITIVE_INFINITY);
  const heap = new Heap();
  for (const node of from) {
    hops[node] = 0;
    costs[node] = 0;
    heap.push({ node, cost: 0, hops: 0 });
  }
  for (let nearest = heap.pop(); nearest !== undefined; nearest = heap.pop()) {
    const { node, cost, hops: length } = nearest;
    if (cost !== costs[node] || length !== hops[node]) continue; // superseded by a better path
    for (let k = starts[node]!; k < starts[node + 1]!; k++) {
      const target = targets[k]!;
      const other = cost + 1 / Math.max(weights[k]!, least);
      if (other > costs[target]! || (other === costs[target] && length + 1 >= hops[target]!)) continue;
      costs[target] = other;
      hops[target] = length + 1;
      heap.push({ node: target, cost: other, hops: length + 1 });
    }
  }
  return { hops, costs };
}

interface QueueEntry {
  readonly node: number;
  readonly cost: number;
  readonly hops: number;
}

const isNearer = (a: QueueEntry, b: QueueEntry): boolean => a.cost < b.cost || (a.cost === b.cost && a.hops < b.hops);

/** A binary min-heap by cost, then by edges. */
class Heap {
  readonly #items: QueueEntry[] = [];

  push(item: QueueEntry): void {
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isNearer(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): QueueEntry | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isNearer(items[child + 1]!, items[child]!)) child += 1;
      if (!isNearer(items[child]!, last)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
