import { AssizeError, describeValue, type Problem } from '../../../src/sdk.js';
import { weightOf } from './edge-weight.js';
import { type GivenEdge, type NodeKind, ToolGraph } from './tool-graph.js';

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
type Where = () => string;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a graph of the library graphology, by what it can do: a copy of another version is as good. */
export const isGraphology = (value: unknown): value is GraphologyLike =>
  isFields(value) &&
  ['forEachNode', 'forEachEdge', 'on'].every((name) => typeof Reflect.get(value, name) === 'function');

/** The most that an edge may weigh: sums and products of such weights are still finite. */
const HEAVIEST = 1e100;

/** How many problems of one graph are told: a list of 100,000 edges may be wrong in each. */
const MOST = 20;

/** Collects nodes, edges and what is wrong with them. */
class Reading {
  readonly kinds = new Map<string, NodeKind>();
  readonly edges: GivenEdge[] = [];
  readonly problems: Problem[] = [];

  /** The kinds that were said, rather than taken for granted. */
  readonly #said = new Map<string, NodeKind>();

  constructor(private readonly path: string) {}

  /** @param found a value that is not as it should be; undefined where that is for the message to say */
  refuse(where: Where, expected: string, found: unknown): void {
    if (this.problems.length === MOST) return;
    const path = `${this.path}${where()}`;
    const message = `${path} is ${found === undefined ? 'missing' : describeValue(found)}; expected ${expected}`;
    this.problems.push({ code: 'ASZ520', message, path });
  }

  id(value: unknown, where: Where): string | undefined {
    if (typeof value === 'string' || Number.isFinite(value)) return String(value);
    this.refuse(where, 'the id of a node', value);
    return undefined;
  }

  node(id: string, kind: unknown, where: Where): void {
    if (kind !== undefined && kind !== null && kind !== 'tool' && kind !== 'capability') {
      this.refuse(() => `${where()}.kind`, 'tool or capability', kind);
      return;
    }
    const said = this.#said.get(id);
    if (said !== undefined && kind && kind !== said)
      this.refuse(() => `${where()}.kind`, `${said}, as it was before`, kind);
    if (kind) this.#said.set(id, kind);
    this.kinds.set(id, this.#said.get(id) ?? 'tool');
  }

  edge(from: string, to: string, { weight, count, type, source }: Fields, undirected: boolean, where: Where): void {
    const number = (value: unknown, key: string, otherwise: number): number => {
      if (value === undefined || value === null) return otherwise;
      if (typeof value === 'number' && value >= 0 && value <= HEAVIEST) return value;
      this.refuse(() => `${where()}.${key}`, `a number from 0 to ${HEAVIEST}`, value);
      return otherwise;
    };
    for (const id of [from, to]) if (!this.kinds.has(id)) this.kinds.set(id, 'tool');
    this.edges.push({
      from,
      to,
      weight: number(weight, 'weight', weightOf(type, source)),
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
  const reading = new Reading(path);
  if (isGraphology(given)) readGraphology(given, reading);
  else readJson(given, reading);
  if (reading.problems.length > 0) throw new AssizeError(reading.problems);
  return new ToolGraph(reading.kinds, reading.edges);
}

function readGraphology(graph: GraphologyLike, reading: Reading): void {
  graph.forEachNode((node, { kind }) => reading.node(node, kind, () => `.nodes[${JSON.stringify(node)}]`));
  // By its ends: most keys of edges are graphology's own, which nobody has seen.
  graph.forEachEdge((_key, attributes, source, target, _source, _target, undirected) =>
    reading.edge(source, target, attributes, undirected, () => `.edges[${JSON.stringify(`${source} → ${target}`)}]`),
  );
}

function readJson(graph: object, reading: Reading): void {
  const { nodes = [], edges = [], directed = true }: { nodes?: unknown; edges?: unknown; directed?: unknown } = graph;
  const keys = Object.keys(graph);
  if (keys.length > 0 && !keys.some((key) => key === 'nodes' || key === 'edges')) {
    reading.refuse(() => '', 'a map with nodes or edges', graph);
  }
  if (typeof directed !== 'boolean') reading.refuse(() => '.directed', 'true or false', directed);
  if (!Array.isArray(nodes)) reading.refuse(() => '.nodes', 'a list of nodes', nodes);
  else for (const [k, node] of nodes.entries()) readNode(node, () => `.nodes[${k}]`, reading);
  if (!Array.isArray(edges)) return reading.refuse(() => '.edges', 'a list of edges', edges);
  for (const [k, edge] of edges.entries()) {
    const where: Where = () => `.edges[${k}]`;
    if (!isFields(edge)) {
      reading.refuse(where, 'an edge: { from, to, weight, count }', edge);
      continue;
    }
    const [from, to] = [
      reading.id(edge['from'], () => `${where()}.from`),
      reading.id(edge['to'], () => `${where()}.to`),
    ];
    if (from !== undefined && to !== undefined) reading.edge(from, to, edge, directed === false, where);
  }
}

function readNode(node: unknown, where: Where, reading: Reading): void {
  const id = isFields(node) ? reading.id(node['id'], () => `${where()}.id`) : reading.id(node, where);
  if (id !== undefined) reading.node(id, isFields(node) ? node['kind'] : undefined, where);
}
