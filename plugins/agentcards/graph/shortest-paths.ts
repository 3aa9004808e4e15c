import type { ToolGraph } from './tool-graph.js';

/** The best path from any of several nodes to each node: its edges and its cost; −1 and ∞ where there is none. */
export interface ShortestPaths {
  readonly hops: Int32Array;
  readonly costs: Float64Array;
}

/** Finds the paths with the fewest edges, in their direction, by breadth-first search. Each edge costs 1. */
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
 * Finds the cheapest paths by Dijkstra's algorithm with a binary heap: an edge costs `1 / max(weight, least)`, so that
 * strong connections are short. Of paths of equal cost the one with fewer edges.
 */
export function cheapestPaths(graph: ToolGraph, from: readonly number[], least: number): ShortestPaths {
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
