import type { Context } from '../../../src/sdk.js';
import { asFields, hasList, idAt, listAt, mapAt, numberAt, textAt } from './field-readers.js';

/** The counts of the graph of concepts. */
export interface ConceptGraphFacts {
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

/** Reads the nodes and edges of the context's `graph`; undefined where it lists neither. */
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

/** Reads the counts of the context's `graph`; those that it does not state are counted in its lists. */
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
