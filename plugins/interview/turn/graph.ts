import type { Context } from '../../../src/sdk.js';
import { asFields, hasList, idAt, listAt, mapAt, numberAt, textAt } from './fields.js';

/** What is known of the graph of concepts. */
export interface GraphFacts {
  readonly nodeCount: number;
  readonly edgeCount: number;
  /** How many nodes there are of each type. */
  readonly nodesByType: ReadonlyMap<string, number>;
}

export interface GraphNode {
  readonly id: string;
  readonly type: string | undefined;
}

export interface GraphEdge {
  readonly source: string;
  readonly target: string;
}

const WHERE = 'context.graph';

/** The nodes and edges themselves, where the caller gives them. */
export function graphLists(
  context: Context,
): { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] } | undefined {
  const graph = mapAt(context, 'graph', 'context');
  if (!hasList(graph, 'nodes') && !hasList(graph, 'edges')) return undefined;
  const nodes = listAt(graph, 'nodes', WHERE).flatMap((item, i): GraphNode[] => {
    const where = `${WHERE}.nodes[${i}]`;
    const fields = asFields(item, where);
    const id = idAt(fields, 'id', where);
    return id === undefined ? [] : [{ id, type: textAt(fields, 'node_type', where) }];
  });
  const edges = listAt(graph, 'edges', WHERE).flatMap((item, i): GraphEdge[] => {
    const where = `${WHERE}.edges[${i}]`;
    const fields = asFields(item, where);
    const [source, target] = [idAt(fields, 'source', where), idAt(fields, 'target', where)];
    return source === undefined || target === undefined ? [] : [{ source, target }];
  });
  return { nodes, edges };
}

/** The counts of `graph`; those that it does not say are counted in its lists, where it has any. */
export function graphFacts(context: Context): GraphFacts {
  const graph = mapAt(context, 'graph', 'context');
  const byType = mapAt(graph, 'nodes_by_type', WHERE);
  const lists = graphLists(context);
  const nodesByType = new Map<string, number>();
  if (byType) {
    for (const type of Object.keys(byType))
      nodesByType.set(type, numberAt(byType, type, `${WHERE}.nodes_by_type`) ?? 0);
  } else {
    for (const { type } of lists?.nodes ?? [])
      if (type !== undefined) nodesByType.set(type, (nodesByType.get(type) ?? 0) + 1);
  }
  return {
    nodeCount: numberAt(graph, 'node_count', WHERE) ?? lists?.nodes.length ?? 0,
    edgeCount: numberAt(graph, 'edge_count', WHERE) ?? lists?.edges.length ?? 0,
    nodesByType,
  };
}
