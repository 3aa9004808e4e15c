import { type Csr, toCsr } from './csr.js';
import { memoizePerGraph } from './memoize-per-graph.js';
import type { ToolGraph } from './tool-graph.js';

/** Which capability uses which tool, both ways: the edges between nodes of different kinds, without their direction. */
export const hypergraphOf = memoizePerGraph((graph: ToolGraph): Csr => {
  const from: number[] = [];
  const to: number[] = [];
  const weight: number[] = [];
  const { starts, targets, weights } = graph.out;
  for (let i = 0; i < graph.order; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      const j = targets[k]!;
      if (graph.kindOf(i) === graph.kindOf(j) || weights[k] === 0) continue;
      // Of a pair with edges both ways the heavier one counts, once.
      const back = graph.edge(j, i);
      if (back !== undefined && (back.weight > weights[k]! || (back.weight === weights[k] && j < i))) continue;
      from.push(i, j);
      to.push(j, i);
      weight.push(weights[k]!, weights[k]!);
    }
  }
  return toCsr(graph.order, { from, to, weight, count: weight.map(() => 0) });
});
