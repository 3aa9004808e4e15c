import { type Csr, toCsr } from './csr.js';
import { memoizePerGraph } from './memoize-per-graph.js';
import type { ToolGraph } from './tool-graph.js';

/** The links of capabilities and tools: the edges between nodes of different kinds, each in both directions. */
export const hypergraphOf = memoizePerGraph((graph: ToolGraph): Csr => {
  const from: number[] = [];
  const to: number[] = [];
  const weight: number[] = [];
  const { starts, targets, weights } = graph.out;
  for (let i = 0; i < graph.order; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      const j = targets[k]!;
      if (graph.kindOf(i) === graph.kindOf(j) || weights[k] === 0) continue;
      // Of two opposite edges only the heavier one counts.
      const back = graph.edge(j, i);
      if (back !== undefined && (back.weight > weights[k]! || (back.weight === weights[k] && j < i))) continue;
      from.push(i, j);
      to.push(j, i);
      weight.push(weights[k]!, weights[k]!);
    }
  }
  return toCsr(graph.order, { from, to, weight, count: weight.map(() => 0) });
});
