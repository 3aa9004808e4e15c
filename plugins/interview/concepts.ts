import type { Context } from '../../src/unit-sdk.js';
import { asFields, flagAt, hasList, idAt, idsAt, listAt, mapAt, numberAt, textAt } from './fields.js';

/** The counts of the concept graph. */
interface ConceptGraphFacts {
  readonly nodeCount: number;
  readonly edgeCount: number;
  /** The number of nodes of each type. */
  readonly nodesByType: ReadonlyMap<string, number>;
}

export interface ConceptNode {
  readonly id: string;
  readonly type: string | undefined;
}

export interface ConceptEdge {
  readonly source: string;
  readonly target: string;
}

const GRAPH_PATH = 'context.graph';

/** Reads the nodes and edges of the context's `graph`; undefined if it lists neither. */
export function conceptGraphOf(
  context: Context,
): { readonly nodes: readonly ConceptNode[]; readonly edges: readonly ConceptEdge[] } | undefined {
  const graph = mapAt(context, 'graph', 'context');
  if (!hasList(graph, 'nodes') && !hasList(graph, 'edges')) return undefined;
  const nodes = listAt(graph, 'nodes', GRAPH_PATH).flatMap((item, i): ConceptNode[] => {
    const where = `${GRAPH_PATH}.nodes[${i}]`;
    const fields = asFields(item, where);
    const id = idAt(fields, 'id', where);
    return id === undefined ? [] : [{ id, type: textAt(fields, 'node_type', where) }];
  });
  const edges = listAt(graph, 'edges', GRAPH_PATH).flatMap((item, i): ConceptEdge[] => {
    const where = `${GRAPH_PATH}.edges[${i}]`;
    const fields = asFields(item, where);
    const [source, target] = [idAt(fields, 'source', where), idAt(fields, 'target', where)];
    return source === undefined || target === undefined ? [] : [{ source, target }];
  });
  return { nodes, edges };
}

/** Reads the counts of the context's `graph`. Missing counts are computed from its lists. */
export function conceptGraphFacts(context: Context): ConceptGraphFacts {
  const graph = mapAt(context, 'graph', 'context');
  const byType = mapAt(graph, 'nodes_by_type', GRAPH_PATH);
  const lists = conceptGraphOf(context);
  const nodesByType = new Map<string, number>();
  if (byType) {
    for (const type of Object.keys(byType))
      nodesByType.set(type, numberAt(byType, type, `${GRAPH_PATH}.nodes_by_type`) ?? 0);
  } else {
    for (const { type } of lists?.nodes ?? [])
      if (type !== undefined) nodesByType.set(type, (nodesByType.get(type) ?? 0) + 1);
  }
  return {
    nodeCount: numberAt(graph, 'node_count', GRAPH_PATH) ?? lists?.nodes.length ?? 0,
    edgeCount: numberAt(graph, 'edge_count', GRAPH_PATH) ?? lists?.edges.length ?? 0,
    nodesByType,
  };
}

/** A concept of the latest turns. */
export interface RecentNode {
  readonly id: string | undefined;
  readonly label: string | undefined;
  readonly type: string | undefined;
  readonly confidence: number | undefined;
  /** The stance: for (1), against (−1) or neither (0). */
  readonly stance: number;
  /** The number of connected nodes. */
  readonly degree: number;
}

/** Reads the context's `recent_nodes`, oldest first. */
export function recentNodesOf(context: Context): readonly RecentNode[] {
  const degrees = new Map<string, number>();
  for (const edge of conceptGraphOf(context)?.edges ?? []) {
    for (const id of new Set([edge.source, edge.target])) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  }
  return listAt(context, 'recent_nodes', 'context').map((item, i): RecentNode => {
    const where = `context.recent_nodes[${i}]`;
    const fields = asFields(item, where);
    const id = idAt(fields, 'id', where);
    const connected = hasList(fields, 'connected_to') ? listAt(fields, 'connected_to', where).length : undefined;
    return {
      id,
      label: textAt(fields, 'label', where),
      type: textAt(fields, 'node_type', where),
      confidence: numberAt(fields, 'confidence', where),
      stance: numberAt(fields, 'stance', where) ?? 0,
      degree: connected ?? (id === undefined ? 0 : (degrees.get(id) ?? 0)),
    };
  });
}

/** The recent node with an id; undefined if there is none or the id is undefined. */
export const findNode = (nodes: readonly RecentNode[], id: string | undefined): RecentNode | undefined =>
  id === undefined ? undefined : nodes.find((node) => node.id === id);

/** The peripheral nodes: those with at least one connection, but fewer than the mean. */
export function peripheralNodes(nodes: readonly RecentNode[]): readonly RecentNode[] {
  const mean = nodes.reduce((sum, { degree }) => sum + degree, 0) / nodes.length;
  return nodes.filter(({ degree }) => degree > 0 && degree < mean);
}

/**
 * Estimates the density of a node's neighbourhood from the counts of the graph. The node and its neighbours are k
 * nodes. Their share of the edges, at most k, is divided by the possible k (k − 1). 0 without a neighbour.
 */
export function localDensity(node: RecentNode | undefined, { nodeCount, edgeCount }: ConceptGraphFacts): number {
  if (node === undefined || node.degree === 0) return 0;
  const k = node.degree + 1;
  const shares = Math.max(1, Math.floor(nodeCount / k));
  return Math.min(1, Math.min(k, Math.floor(edgeCount / shares)) / (k * (k - 1)));
}

/** The coverage of one element of the concept. */
export interface ConceptElement {
  readonly id: string;
  readonly covered: boolean;
  /** From 0 to 1; 1 if depths are unknown. */
  readonly depth: number;
}

/** The coverage of the elements of the concept. */
interface Coverage {
  /** In the order of the context's list; sorted by id if it is a map. */
  readonly elements: readonly ConceptElement[];
  readonly covered: number;
  readonly total: number;
  /** Whether the depth of elements is known, in addition to their coverage. */
  readonly hasDepth: boolean;
}

const COVERAGE_PATH = 'context.coverage';

/** Orders ids: numbers before names, 2 before 10. */
const byId = (a: ConceptElement, b: ConceptElement): number => {
  const [x, y] = [Number(a.id), Number(b.id)];
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return x - y || (a.id < b.id ? -1 : Number(a.id > b.id));
};

/**
 * Reads the context's `coverage` in one of two forms: `elements_seen` and `elements_total` as lists of ids, or
 * `elements` as a map of `{ covered, depth_score }` with the two counts as numbers.
 */
export function coverageOf(context: Context): Coverage {
  const coverage = mapAt(context, 'coverage', 'context');
  const byName = mapAt(coverage, 'elements', COVERAGE_PATH);
  if (byName === undefined) {
    const [seen, total] = [
      idsAt(coverage, 'elements_seen', COVERAGE_PATH),
      idsAt(coverage, 'elements_total', COVERAGE_PATH),
    ];
    const known = new Set(seen);
    const elements = total.map((id) => ({ id, covered: known.has(id), depth: 1 }));
    return { elements, covered: seen.length, total: total.length, hasDepth: false };
  }
  const elements = Object.keys(byName).map((id): ConceptElement => {
    const where = `${COVERAGE_PATH}.elements.${id}`;
    const state = mapAt(byName, id, `${COVERAGE_PATH}.elements`);
    return { id, covered: flagAt(state, 'covered', where), depth: numberAt(state, 'depth_score', where) ?? 0 };
  });
  return {
    elements: elements.toSorted(byId),
    covered: numberAt(coverage, 'elements_covered', COVERAGE_PATH) ?? elements.filter(({ covered }) => covered).length,
    total: numberAt(coverage, 'elements_total', COVERAGE_PATH) ?? elements.length,
    hasDepth: true,
  };
}

/**
 * Estimates the share of all types of concepts that were found, by Chao's estimate of unseen species (Chao 1984): S /
 * (S + f1² / 2 f2), or S / (S + f1 (f1 − 1) / 2) if f2 is 0. f1 and f2 are the numbers of types found once and twice.
 * Recent nodes count once more, so that current topics are less rare. 0 if nothing was found.
 */
export function saturationOf(context: Context): number {
  const counts = new Map(conceptGraphFacts(context).nodesByType);
  for (const { type } of recentNodesOf(context)) if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1);
  const found = [...counts.values()].filter((count) => count > 0);
  if (found.length === 0) return 0;
  const once = found.filter((count) => count === 1).length;
  const twice = found.filter((count) => count === 2).length;
  const unseen = twice > 0 ? once ** 2 / (2 * twice) : (once * (once - 1)) / 2;
  return Math.min(1, found.length / (found.length + unseen));
}
