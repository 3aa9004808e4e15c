import { lowerBound } from '../../src/unit-sdk.js';

/** The kind of a node: a tool, or a capability that uses tools. */
export type NodeKind = 'tool' | 'capability';

/** An edge as the caller supplied it. */
export interface EdgeInput {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
  readonly count: number;
  readonly undirected: boolean;
}

/** An edge of the graph. */
export interface Edge {
  readonly weight: number;
  /** The number of observations; 0 if it is unknown. */
  readonly count: number;
}

const emptyArcs = (): Arcs => ({ from: [], to: [], weight: [], count: [] });

function pushArc(arcs: Arcs, from: number, to: number, { weight, count }: Edge): void {
  arcs.from.push(from);
  arcs.to.push(to);
  arcs.weight.push(weight);
  arcs.count.push(count);
}

/** The number of arc ends at each node. Parallel arcs count once. */
function countArcEnds(order: number, ...several: readonly Arcs[]): Int32Array {
  const ends = new Int32Array(order);
  for (const arcs of several) {
    const { starts, targets } = toCsr(order, arcs);
    for (let i = 0; i < order; i++) ends[i]! += starts[i + 1]! - starts[i]!;
    for (const target of targets) ends[target]! += 1;
  }
  return ends;
}

/**
 * An immutable graph of tools and capabilities. Nodes are numbered in the order of their ids, so that their input order
 * has no effect. Parallel edges are merged, and their weights added. An undirected edge goes both ways.
 */
export class ToolGraph {
  /** The ids of the nodes, by number. */
  readonly ids: readonly string[];
  /** The outgoing edges of each node, including self-loops. */
  readonly out: Csr;
  /** The distinct neighbours of each node, without itself. */
  readonly neighbours: Csr;
  /** The incoming and outgoing edges of each node: a mutual pair counts twice, parallel edges once, self-loops never. */
  readonly edgeCounts: Int32Array;
  /** The number of directed edges between different nodes. An undirected edge counts twice. */
  readonly size: number;
  /** The number of nodes that are capabilities. */
  readonly capabilityCount: number;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #kinds: ReadonlyMap<string, NodeKind>;

  /** @param kinds the kind of every node, by id */
  constructor(kinds: ReadonlyMap<string, NodeKind>, edges: readonly EdgeInput[]) {
    this.#kinds = kinds;
    this.ids = [...kinds.keys()].sort((a, b) => (a < b ? -1 : 1));
    this.#numbers = new Map(this.ids.map((id, i) => [id, i]));
    const arcs = emptyArcs();
    const adjacency = emptyArcs();
    const oneWay = emptyArcs();
    const bothWays = emptyArcs();
    for (const edge of edges) {
      const from = this.#numbers.get(edge.from)!;
      const to = this.#numbers.get(edge.to)!;
      pushArc(arcs, from, to, edge);
      if (from === to) continue;
      if (edge.undirected) pushArc(arcs, to, from, edge);
      pushArc(adjacency, from, to, edge);
      pushArc(adjacency, to, from, edge);
      if (edge.undirected) pushArc(bothWays, Math.min(from, to), Math.max(from, to), edge);
      else pushArc(oneWay, from, to, edge);
    }
    this.out = toCsr(this.ids.length, arcs);
    this.edgeCounts = countArcEnds(this.ids.length, oneWay, bothWays);
    this.neighbours = toCsr(this.ids.length, adjacency);
    this.capabilityCount = [...kinds.values()].filter((kind) => kind === 'capability').length;
    this.size = this.out.targets.length - this.ids.filter((_, i) => findArc(this.out, i, i) >= 0).length;
  }

  /** The number of nodes. */
  get order(): number {
    return this.ids.length;
  }

  /** The share of all possible directed edges that exist; 0 with fewer than two nodes. */
  get density(): number {
    return this.order < 2 ? 0 : this.size / (this.order * (this.order - 1));
  }

  /** The number of a node; undefined if it is not in the graph or the id is undefined. */
  numberOf(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.#numbers.get(id);
  }

  /** The numbers of the nodes that are in the graph, each once. */
  numbersOf(ids: readonly string[]): readonly number[] {
    return [...new Set(ids)].flatMap((id) => this.#numbers.get(id) ?? []);
  }

  kindOf(node: number): NodeKind {
    return this.#kinds.get(this.ids[node]!) ?? 'tool';
  }

  /** The edge from one node to another. */
  edge(from: number, to: number): Edge | undefined {
    const at = findArc(this.out, from, to);
    return at < 0 ? undefined : { weight: this.out.weights[at]!, count: this.out.counts[at]! };
  }

  /** The distinct neighbours of a node, without itself. */
  neighboursOf(node: number): Int32Array {
    return targetsOf(this.neighbours, node);
  }
}

/**
 * Arcs by source node in compressed sparse rows. The arcs of node i are at `starts[i]` up to `starts[i + 1]`, sorted by
 * target.
 */
export interface Csr {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  readonly weights: Float64Array;
  /** The number of times that each was observed. */
  readonly counts: Float64Array;
}

/** Arcs in input order, in parallel lists. */
interface Arcs {
  readonly from: number[];
  readonly to: number[];
  readonly weight: number[];
  readonly count: number[];
}

/** Sorts positions by their keys with a counting sort, which is stable. */
function countingSort(
  keys: readonly number[],
  positions: Int32Array,
  keyCount: number,
): { sorted: Int32Array; starts: Int32Array } {
  const starts = new Int32Array(keyCount + 1);
  for (const key of keys) starts[key + 1]! += 1;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice();
  const sorted = new Int32Array(positions.length);
  for (const position of positions) sorted[next[keys[position]!]!++] = position;
  return { sorted, starts };
}

/** Sorts arcs by source and target. Parallel arcs are merged, and their weights and counts added. */
function toCsr(order: number, arcs: Arcs): Csr {
  const given = Int32Array.from(arcs.to, (_, k) => k);
  const { sorted, starts: rows } = countingSort(arcs.from, countingSort(arcs.to, given, order).sorted, order);
  const starts = new Int32Array(order + 1);
  const targets = new Int32Array(sorted.length);
  const weights = new Float64Array(sorted.length);
  const counts = new Float64Array(sorted.length);
  let end = 0;
  for (let i = 0; i < order; i++) {
    const start = end;
    for (let at = rows[i]!; at < rows[i + 1]!; at++) {
      const k = sorted[at]!;
      if (end === start || targets[end - 1] !== arcs.to[k]) targets[end++] = arcs.to[k]!;
      weights[end - 1]! += arcs.weight[k]!;
      counts[end - 1]! += arcs.count[k]!;
    }
    starts[i + 1] = end;
  }
  return {
    starts,
    targets: targets.subarray(0, end),
    weights: weights.subarray(0, end),
    counts: counts.subarray(0, end),
  };
}

/** The position of the arc between two nodes; −1 if there is none. */
function findArc({ starts, targets }: Csr, from: number, to: number): number {
  const end = starts[from + 1]!;
  const arc = lowerBound(targets, to, starts[from], end);
  return arc < end && targets[arc] === to ? arc : -1;
}

/** The targets of one node's arcs. */
export const targetsOf = ({ starts, targets }: Csr, node: number): Int32Array =>
  targets.subarray(starts[node], starts[node + 1]);

/** The links between capabilities and tools: edges between nodes of different kinds, each in both directions. */
export const hypergraphOf = memoizePerGraph((graph: ToolGraph): Csr => {
  const from: number[] = [];
  const to: number[] = [];
  const weight: number[] = [];
  const { starts, targets, weights } = graph.out;
  for (let i = 0; i < graph.order; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      const j = targets[k]!;
      if (graph.kindOf(i) === graph.kindOf(j) || weights[k] === 0) continue;
      // Of two opposite edges, only the heavier one counts.
      const back = graph.edge(j, i);
      if (back !== undefined && (back.weight > weights[k]! || (back.weight === weights[k] && j < i))) continue;
      from.push(i, j);
      to.push(j, i);
      weight.push(weights[k]!, weights[k]!);
    }
  }
  return toCsr(graph.order, { from, to, weight, count: weight.map(() => 0) });
});

/** Memoizes a function of a graph by its other arguments. The results live as long as the graph object. */
export function memoizePerGraph<G extends object, S extends readonly (string | number | boolean)[], R>(
  compute: (graph: G, ...settings: S) => R,
): (graph: G, ...settings: S) => R {
  const memory = new WeakMap<G, Map<string, R>>();
  return (graph, ...settings) => {
    const results = memory.get(graph) ?? new Map<string, R>();
    memory.set(graph, results);
    const key = settings.join(' ');
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = compute(graph, ...settings);
    results.set(key, result);
    return result;
  };
}
