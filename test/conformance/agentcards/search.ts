import { chainOf, scored } from './case.js';
import { fact } from './graph-case.js';
import { type Checks, expected, number, numbers, type Row } from './row.js';

/** A graph with this number of nodes and edges. */
function graphOfSize(nodes: number, edges: number): object {
  const ids = Array.from({ length: nodes }, (_, i) => `n${i}`);
  const pairs = ids.flatMap((from) => ids.flatMap((to) => (from === to ? [] : [{ from, to }])));
  return { nodes: ids, edges: pairs.slice(0, edges) };
}

/** Two nodes with one common neighbour of this degree. */
function star(degree: number): object {
  return { edges: Array.from({ length: degree }, (_, i) => ({ from: 'hub', to: `n${i}` })) };
}

const single: Checks = (row) =>
  (row['byDegree'] as readonly Row[]).flatMap((one) => {
    const found = (params: object) => () =>
      scored(
        'AdamicAdarScorer',
        { direct_edge: 'ignore', ...params },
        { id: 'n1' },
        { graph: star(number(one, 'degree')), tools: ['n0'] },
      );
    return [
      { expected: expected(one, 'adamicAdar'), found: found({ divide_by: 1, cap: 'none' }) },
      { expected: expected(one, 'halfCapped'), found: found({}) },
    ];
  });

/** The relatedness to the tools in use, and its weight. */
export const SEARCH: Readonly<Record<string, Checks>> = {
  adaptiveAlpha: (row) => {
    const context = { graph: graphOfSize(number(row, 'nodes'), number(row, 'edges')) };
    return [
      fact('', number(row, 'density'), context, 'signals.graph.density'),
      fact('', number(row, 'alpha'), context, 'signals.alpha'),
    ];
  },
  pathConfidence: (row) => {
    const hops = Math.max(0, number(row, 'hops'));
    const context = { graph: chainOf(Array.from({ length: hops }, () => 1)), tools: ['n0'] };
    return [
      { expected: expected(row, 'confidence'), found: () => scored('PathScorer', {}, { id: `n${hops}` }, context) },
    ];
  },
  edgeWeight: (row) => {
    const graph = { edges: [{ from: 'a', to: 'b', type: row['type'], source: row['source'] }] };
    return [
      {
        expected: expected(row, 'weight'),
        found: () => scored('EdgeScorer', {}, { id: 'b' }, { graph, tools: ['a'] }),
      },
    ];
  },
  pathCost: (row) => {
    const weights = numbers(row, 'edgeWeights');
    const context = { graph: chainOf(weights), tools: ['n0'] };
    const found = () => scored('PathScorer', { path: 'cheapest', give: 'cost' }, { id: `n${weights.length}` }, context);
    return [{ expected: expected(row, 'cost'), found }];
  },
  adamicAdarSingleCommonNeighbor: single,
};
