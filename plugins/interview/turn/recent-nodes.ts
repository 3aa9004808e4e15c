import type { Context } from '../../../src/sdk.js';
import { type ConceptGraphFacts, conceptGraphOf } from './concept-graph.js';
import { asFields, hasList, idAt, listAt, numberAt, textAt } from './field-readers.js';

/** A concept of the latest turns. */
export interface RecentNode {
  readonly id: string | undefined;
  readonly label: string | undefined;
  readonly type: string | undefined;
  readonly confidence: number | undefined;
  /** For, against, or neither: 1, −1, 0. */
  readonly stance: number;
  /** The number of other nodes that it is connected to. */
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

/** The node of an id; undefined without an id, and where the node is not a recent one. */
export const findNode = (nodes: readonly RecentNode[], id: string | undefined): RecentNode | undefined =>
  id === undefined ? undefined : nodes.find((node) => node.id === id);

/** The peripheral nodes: connected, and to fewer others than the mean. */
export function peripheralNodes(nodes: readonly RecentNode[]): readonly RecentNode[] {
  const mean = nodes.reduce((sum, { degree }) => sum + degree, 0) / nodes.length;
  return nodes.filter(({ degree }) => degree > 0 && degree < mean);
}

/**
 * Estimates the density of a node's neighbourhood from the graph's counts: the edges that fall to a share of k nodes
 * (the node and its neighbours), at most k, divided by the possible k (k − 1). 0 without a neighbour.
 */
export function localDensity(node: RecentNode | undefined, { nodeCount, edgeCount }: ConceptGraphFacts): number {
  if (node === undefined || node.degree === 0) return 0;
  const k = node.degree + 1;
  const shares = Math.max(1, Math.floor(nodeCount / k));
  return Math.min(1, Math.min(k, Math.floor(edgeCount / shares)) / (k * (k - 1)));
}
