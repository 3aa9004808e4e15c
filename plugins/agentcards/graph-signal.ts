import { defineSignal, type ParamsOf, type RunFacts, type Signal, z } from '../../src/sdk.js';
import { contextGraph, graphParam } from './graph/context-graph.js';

type Params = ParamsOf<typeof GraphSignal>;

/** The size of the context's graph. */
export interface ToolGraphFacts {
  readonly nodes: number;
  /** Directed edges between different nodes; an undirected one is two. */
  readonly edges: number;
  readonly capabilities: number;
  /** `edges / (nodes × (nodes − 1))`; 0 with fewer than two nodes. */
  readonly density: number;
}

/** Gives the size and the density of the context's graph; all 0 without a graph. */
export class GraphSignal implements Signal<Params, ToolGraphFacts> {
  static readonly meta = defineSignal({
    summary: 'How large and how dense the context’s graph is.',
    params: z.strictObject({ graph: graphParam() }),
  });

  prepare({ graph: at }: Params, run: RunFacts): ToolGraphFacts {
    const graph = contextGraph(run.context, at);
    if (graph === undefined) return { nodes: 0, edges: 0, capabilities: 0, density: 0 };
    return { nodes: graph.order, edges: graph.size, capabilities: graph.capabilityCount, density: graph.density };
  }
}
