import { DirectedGraph, MultiGraph, UndirectedGraph } from 'graphology';
import { describe, expect, it } from 'vitest';
import { contextGraph as read } from '../../../plugins/agentcards/read-graph.js';
import { AssizeError, contextPath } from 'assize/sdk';
import { graphOf, scores } from './rank.js';

const at = contextPath('graph').parse('graph');
const graphIn = (graph: unknown) => read({ graph }, at);
const problemsOf = (graph: unknown): string[] => {
  try {
    graphIn(graph);
    return [];
  } catch (error) {
    return error instanceof AssizeError
      ? error.problems.map(({ code, message }) => `${code} ${message}`)
      : [String(error)];
  }
};

describe('a graph in the context', () => {
  it('has the listed nodes, and the ends of the edges', () => {
    const graph = graphIn({ nodes: ['b', 7, { id: 'cap', kind: 'capability' }], edges: [{ from: 'a', to: 'b' }] });
    expect(graph?.ids).toEqual(['7', 'a', 'b', 'cap']);
    expect(graph?.ids.map((_, i) => graph.kindOf(i))).toEqual(['tool', 'tool', 'tool', 'capability']);
    expect(graph?.edge(1, 2)).toEqual({ weight: 1, count: 0 });
    expect(graph?.edge(2, 1)).toBeUndefined();
    expect(graph?.numberOf('constructor')).toBeUndefined();
  });

  it('counts a mutual pair as two edges and one neighbour, and a loop as neither', () => {
    const graph = graphIn(graphOf('a > b', 'b > a', 'a > a', 'a > c'));
    expect([graph?.size, graph?.density]).toEqual([3, 0.5]);
    expect(graph?.edgeCounts[0]).toBe(3);
    expect([...(graph?.neighboursOf(0) ?? [])]).toEqual([1, 2]);
    expect([...(graph?.neighboursOf(2) ?? [])]).toEqual([0]);
  });

  it('merges parallel edges into one', () => {
    const twice = { from: 'a', to: 'b', weight: 0.3, count: 2 };
    const graph = graphIn({ edges: [twice, twice] });
    expect(graph?.edge(0, 1)).toEqual({ weight: 0.6, count: 4 });
    expect([graph?.size, ...(graph?.edgeCounts ?? [])]).toEqual([1, 1, 1]);
    const back = { from: 'b', to: 'a' };
    expect([...(graphIn({ edges: [twice, back, twice] })?.edgeCounts ?? [])]).toEqual([2, 2]);
    expect([...(graphIn({ edges: [twice, back], directed: false })?.edgeCounts ?? [])]).toEqual([1, 1]);
  });

  it('has a density of 0 with fewer than two nodes', () => {
    expect(graphIn({ nodes: ['a'] })?.density).toBe(0);
    expect(graphIn({ nodes: [], edges: [] })).toBeUndefined();
    expect(graphIn(undefined)).toBeUndefined();
  });

  it('can be a graphology graph, directed or not', () => {
    const directed = new DirectedGraph();
    directed.addNode('a');
    directed.addNode('b', { kind: 'capability' });
    directed.addEdge('a', 'b', { weight: 0.5, count: 3 });
    const graph = graphIn(directed);
    expect([graph?.edge(0, 1), graph?.edge(1, 0), graph?.kindOf(1)]).toEqual([
      { weight: 0.5, count: 3 },
      undefined,
      'capability',
    ]);
    directed.mergeEdge('b', 'a', { weight: -1 });
    expect(problemsOf(directed)).toEqual([
      'ASZ520 graph.edges["b → a"].weight is the number -1; expected a number from 0 to 1e+100',
    ]);
    const undirected = new UndirectedGraph();
    undirected.mergeEdge('a', 'b', { weight: 2 });
    expect(graphIn(undirected)?.edge(1, 0)).toEqual({ weight: 2, count: 0 });
    expect(graphIn(undirected)?.edgeCounts[0]).toBe(1);
  });

  it('can be an export of graphology, from a file', () => {
    const made = new MultiGraph();
    made.addNode('a');
    made.addNode('b', { kind: 'capability' });
    made.addDirectedEdge('a', 'b', { weight: 0.5, count: 3, source: 'observed' });
    made.addNode('c');
    made.addUndirectedEdge('b', 'c', { weight: 2 });
    const exported: unknown = JSON.parse(JSON.stringify(made.export()));
    const [graph, own] = [graphIn(exported), graphIn(made)];
    expect(graph?.ids).toEqual(own?.ids);
    for (const [from, to] of [
      [0, 1],
      [1, 0],
      [1, 2],
      [2, 1],
    ] as const) {
      expect(graph?.edge(from, to)).toEqual(own?.edge(from, to));
    }
    expect(graph?.kindOf(1)).toBe('capability');
    expect(problemsOf({ nodes: [{ key: {} }], edges: [{ source: 'a', target: [] }, { target: 'b' }] })).toEqual([
      'ASZ520 graph.nodes[0].key is a map; expected the id of a node',
      'ASZ520 graph.edges[0].target is a list; expected the id of a node',
      'ASZ520 graph.edges[1].source is missing; expected the id of a node',
    ]);
  });

  it('is read once per version', () => {
    const given = { version: 1, edges: [{ from: 'a', to: 'b', weight: 1 }] };
    const first = graphIn(given);
    expect(graphIn(given)).toBe(first);
    given.edges.push({ from: 'b', to: 'c', weight: 1 });
    expect(graphIn(given)?.order).toBe(3);
    given.edges[0]!.weight = 5;
    given.version = 2;
    expect(graphIn(given)?.edge(0, 1)?.weight).toBe(5);
  });

  it('is read again if another list of the same length replaces one', () => {
    const given = { edges: [{ from: 'a', to: 'b' }], directed: true };
    const first = graphIn(given);
    given.edges = [{ from: 'b', to: 'a' }];
    expect(graphIn(given)).not.toBe(first);
    expect(graphIn(given)?.edge(1, 0)).toEqual({ weight: 1, count: 0 });
    expect(graphIn({ ...given })).not.toBe(graphIn(given));
    given.directed = false;
    expect(graphIn(given)?.size).toBe(2);
  });

  it('of graphology is read again if anything in it changes', () => {
    const given = new DirectedGraph();
    given.mergeEdgeWithKey('first', 'a', 'b', { weight: 1 });
    given.addNode('c');
    const first = graphIn(given);
    expect(graphIn(given)).toBe(first);
    given.setEdgeAttribute('first', 'weight', 2);
    expect(graphIn(given)?.edge(0, 1)?.weight).toBe(2);
    given.dropEdge('first');
    given.addEdge('c', 'a'); // as many nodes and edges as before
    expect([graphIn(given)?.edge(0, 1), graphIn(given)?.edge(2, 0)?.weight]).toEqual([undefined, 1]);
    given.setNodeAttribute('a', 'kind', 'capability');
    expect(graphIn(given)?.capabilityCount).toBe(1);
    given.clear();
    expect(graphIn(given)).toBeUndefined();
  });

  it('may repeat a node: the given kind counts, and two kinds are an error', () => {
    const kinds = (...nodes: object[]) => graphIn({ nodes: [...nodes, 'a'] })?.capabilityCount;
    expect(kinds({ id: 'a', kind: 'capability' })).toBe(1);
    expect(kinds({ id: 'a' }, { id: 'a', kind: 'capability' })).toBe(1);
    expect(
      problemsOf({
        nodes: [
          { id: 'a', kind: 'tool' },
          { id: 'a', kind: 'capability' },
        ],
      }),
    ).toEqual(['ASZ520 graph.nodes[1].kind is the string "capability"; expected tool, as it was before']);
  });

  it('derives the weight of an edge from its type and source if it has none', () => {
    const edge = (more: object) => graphIn({ edges: [{ from: 'a', to: 'b', ...more }] })?.edge(0, 1)?.weight;
    expect(edge({ type: 'provides', source: 'inferred' })).toBeCloseTo(0.49, 12);
    expect(edge({ type: 'dependency' })).toBeCloseTo(0.7, 12);
    expect(edge({ type: 'constructor', source: 'unheard' })).toBeCloseTo(0.35, 12);
    expect(edge({ type: 'sequence', weight: 0.9 })).toBe(0.9);
  });

  it('reports all its problems, with their places', async () => {
    expect(
      problemsOf({
        directed: 'no',
        nodes: [{ id: 'a', kind: 'tol' }, null],
        edges: [{ from: 'a' }, 3, { from: 'a', to: 'b', weight: -1, count: NaN }],
      }),
    ).toEqual([
      'ASZ520 graph.directed is the string "no"; expected true or false',
      'ASZ520 graph.nodes[0].kind is the string "tol"; expected tool or capability',
      'ASZ520 graph.nodes[1] is null; expected the id of a node',
      'ASZ520 graph.edges[0].to is missing; expected the id of a node',
      'ASZ520 graph.edges[1] is the number 3; expected an edge: { from, to, weight, count }',
      'ASZ520 graph.edges[2].weight is the number -1; expected a number from 0 to 1e+100',
      'ASZ520 graph.edges[2].count is the number NaN; expected a number from 0 to 1e+100',
    ]);
    const heavy = { from: 'a', to: 'b', weight: 1e300 }; // two of them would overflow
    expect(problemsOf({ edges: [heavy] })).toEqual([
      'ASZ520 graph.edges[0].weight is the number 1e+300; expected a number from 0 to 1e+100',
    ]);
    expect(problemsOf('graph.json')[0]).toContain('ASZ520 graph is the string "graph.json"; expected a graph');
    expect(problemsOf({ edges: {} })[0]).toContain('graph.edges is a map; expected a list of edges');
    expect(problemsOf({ edges: Array.from({ length: 50 }, () => 0) })).toHaveLength(20);
    await expect(scores({ class: 'PageRankScorer' }, ['a'], { graph: [] })).rejects.toThrow('expected a graph');
  });
});
