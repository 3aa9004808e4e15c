import { AssizeError, describeValue, isMap, type Problem } from '../../../src/sdk.js';
import { defaultEdgeWeight } from './edge-weight.js';
import { type EdgeInput, type NodeKind, ToolGraph } from './tool-graph.js';

/** What is read of a graphology graph. */
export interface GraphologyLike {
  forEachNode(each: (node: string, attributes: Readonly<Record<string, unknown>>) => void): void;
  forEachEdge(
    each: (
      edge: string,
      attributes: Readonly<Record<string, unknown>>,
      source: string,
      target: string,
      sourceAttributes: unknown,
      targetAttributes: unknown,
      undirected: boolean,
    ) => void,
  ): void;
  on(event: string, listener: () => void): unknown;
}

/** Where in the graph something stands; said only where it is wrong. */
type LazyPath = () => string;

/** Whether a value is a graph of the library graphology, by what it can do: a copy of another version is as good. */
export const isGraphology = (value: unknown): value is GraphologyLike =>
  isMap(value) && ['forEachNode', 'forEachEdge', 'on'].every((name) => typeof Reflect.get(value, name) === 'function');

/** The most that an edge may weigh: sums and products of such weights are still finite. */
const MAX_WEIGHT = 1e100;

/** How many problems of one graph are told: a list of 100,000 edges may be wrong in each. */
const MAX_PROBLEMS = 20;

/** Collects nodes, edges and what is wrong with them. */
class GraphReader {
  readonly kinds = new Map<string, NodeKind>();
  readonly edges: EdgeInput[] = [];
  readonly problems: Problem[] = [];

  /** The kinds that were said, rather than taken for granted. */
  readonly #declaredKinds = new Map<string, NodeKind>();

  constructor(private readonly path: string) {}

  /** @param found a value that is not as it should be; undefined where that is for the message to say */
  report(where: LazyPath, expected: string, found: unknown): void {
    if (this.problems.length === MAX_PROBLEMS) return;
    const path = `${this.path}${where()}`;
    const message = `${path} is ${found === undefined ? 'missing' : describeValue(found)}; expected ${expected}`;
    this.problems.push({ code: 'ASZ520', message, path });
  }

  readId(value: unknown, where: LazyPath): string | undefined {
    if (typeof value === 'string' || Number.isFinite(value)) return String(value);
    this.report(where, 'the id of a node', value);
    return undefined;
  }

  addNode(id: string, kind: unknown, where: LazyPath): void {
    if (kind !== undefined && kind !== null && kind !== 'tool' && kind !== 'capability') {
      this.report(() => `${where()}.kind`, 'tool or capability', kind);
      return;
    }
    const said = this.#declaredKinds.get(id);
    if (said !== undefined && kind && kind !== said)
      this.report(() => `${where()}.kind`, `${said}, as it was before`, kind);
    if (kind) this.#declaredKinds.set(id, kind);
    this.kinds.set(id, this.#declaredKinds.get(id) ?? 'tool');
  }

  addEdge(
    from: string,
    to: string,
    { weight, count, type, source }: Readonly<Record<string, unknown>>,
    undirected: boolean,
    where: LazyPath,
  ): void {
    const number = (value: unknown, key: string, otherwise: number): number => {
      if (value === undefined || value === null) return otherwise;
      if (typeof value === 'number' && value >= 0 && value <= MAX_WEIGHT) return value;
      this.report(() => `${where()}.${key}`, `a number from 0 to ${MAX_WEIGHT}`, value);
      return otherwise;
    };
    for (const id of [from, to]) if (!this.kinds.has(id)) this.kinds.set(id, 'tool');
    this.edges.push({
      from,
      to,
      weight: number(weight, 'weight', defaultEdgeWeight(type, source)),
      count: number(count, 'count', 0),
      undirected,
    });
  }
}

/**
 * Reads a graph: `{ nodes: ['a', { id: 'b', kind: 'capability' }], edges: [{ from: 'a', to: 'b', weight: 0.5, count: 3
 * }], directed: true }`, or one of graphology, whose attributes have the same names. An edge's ends need not be listed.
 *
 * @param path what the graph is called in messages
 * @throws AssizeError (ASZ520) with what is wrong with it, each with its path
 */
export function readGraph(given: object, path: string): ToolGraph {
  const reading = new GraphReader(path);
  if (isGraphology(given)) readGraphology(given, reading);
  else readJson(given, reading);
  if (reading.problems.length > 0) throw new AssizeError(reading.problems);
  return new ToolGraph(reading.kinds, reading.edges);
}

function readGraphology(graph: GraphologyLike, reading: GraphReader): void {
  graph.forEachNode((node, { kind }) => reading.addNode(node, kind, () => `.nodes[${JSON.stringify(node)}]`));
  // By its ends: most keys of edges are graphology's own, which nobody has seen.
  graph.forEachEdge((_key, attributes, source, target, _source, _target, undirected) =>
    reading.addEdge(source, target, attributes, undirected, () => `.edges[${JSON.stringify(`${source} → ${target}`)}]`),
  );
}

function readJson(graph: object, reading: GraphReader): void {
  const { nodes = [], edges = [], directed = true }: { nodes?: unknown; edges?: unknown; directed?: unknown } = graph;
  const keys = Object.keys(graph);
  if (keys.length > 0 && !keys.some((key) => key === 'nodes' || key === 'edges')) {
    reading.report(() => '', 'a map with nodes or edges', graph);
  }
  if (typeof directed !== 'boolean') reading.report(() => '.directed', 'true or false', directed);
  if (!Array.isArray(nodes)) reading.report(() => '.nodes', 'a list of nodes', nodes);
  else for (const [k, node] of nodes.entries()) readNode(node, () => `.nodes[${k}]`, reading);
  if (!Array.isArray(edges)) return reading.report(() => '.edges', 'a list of edges', edges);
  for (const [k, edge] of edges.entries()) {
    const where: LazyPath = () => `.edges[${k}]`;
    if (!isMap(edge)) {
      reading.report(where, 'an edge: { from, to, weight, count }', edge);
      continue;
    }
    const [from, to] = [
      reading.readId(edge['from'], () => `${where()}.from`),
      reading.readId(edge['to'], () => `${where()}.to`),
    ];
    if (from !== undefined && to !== undefined) reading.addEdge(from, to, edge, directed === false, where);
  }
}

function readNode(node: unknown, where: LazyPath, reading: GraphReader): void {
  const id = isMap(node) ? reading.readId(node['id'], () => `${where()}.id`) : reading.readId(node, where);
  if (id !== undefined) reading.addNode(id, isMap(node) ? node['kind'] : undefined, where);
}
