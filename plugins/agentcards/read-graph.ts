import {
  AssizeError,
  type Context,
  contextPath,
  describeValue,
  isMap,
  type PathReader,
  type Problem,
} from '../../src/unit-sdk.js';
import { type EdgeInput, type NodeKind, ToolGraph } from './tool-graph.js';

/** The param that is the path to the graph in the context. */
export const graphParam = () => contextPath('graph').describe('The path to the graph in the context.');

interface CachedGraph {
  readonly fingerprint: readonly unknown[];
  readonly graph: ToolGraph;
}

/** Graphs by the object that they were read from, so that computed results live as long as that object. */
const graphCache = new WeakMap<object, CachedGraph>();

/** The graphology graphs that have a listener for changes. */
const observedGraphs = new WeakSet<object>();

/** The events of graphology after which a graph must be read again. */
const CHANGE_EVENTS = [
  'nodeAdded',
  'edgeAdded',
  'nodeDropped',
  'edgeDropped',
  'cleared',
  'edgesCleared',
  'attributesUpdated',
  'nodeAttributesUpdated',
  'edgeAttributesUpdated',
  'eachNodeAttributesUpdated',
  'eachEdgeAttributesUpdated',
] as const;

/** Evicts a graphology graph from the cache as soon as it changes. */
function evictOnChange(graph: GraphologyLike): void {
  if (observedGraphs.has(graph)) return;
  observedGraphs.add(graph);
  const evict = (): void => void graphCache.delete(graph);
  for (const event of CHANGE_EVENTS) graph.on(event, evict);
}

/**
 * The fingerprint that detects a change of a graph: its `version`, its lists, and their lengths. A caller that changes
 * an element of a list in place must increase the version.
 */
function fingerprintOf(given: object): readonly unknown[] {
  if (isGraphology(given)) return [];
  const { version, directed, nodes, edges }: { [key in 'version' | 'directed' | 'nodes' | 'edges']?: unknown } = given;
  return [version, directed, nodes, edges, ...[nodes, edges].map((list) => (Array.isArray(list) ? list.length : 0))];
}

const sameElements = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => Object.is(one, b[i]));

/**
 * Reads the graph of a run; undefined if the context has none, or one without nodes. A graph is read once, and again
 * after a change.
 *
 * @throws AssizeError (ASZ520) if it is malformed
 */
export function contextGraph(context: Context, path: PathReader): ToolGraph | undefined {
  const given = path(context);
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const message = `${path.source} is ${describeValue(given)}; expected a graph: { nodes, edges }, or one of graphology`;
    throw new AssizeError([{ code: 'ASZ520', message, path: path.source }]);
  }
  const fingerprint = fingerprintOf(given);
  const cached = graphCache.get(given);
  if (cached !== undefined && sameElements(cached.fingerprint, fingerprint)) return nonEmpty(cached.graph);
  const graph = readGraph(given, path.source);
  if (isGraphology(given)) evictOnChange(given);
  graphCache.set(given, { fingerprint, graph });
  return nonEmpty(graph);
}

const nonEmpty = (graph: ToolGraph): ToolGraph | undefined => (graph.order === 0 ? undefined : graph);

/** The methods of a graphology graph that this module calls. */
interface GraphologyLike {
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

/** A path in the graph. A function, because it is needed only for problems. */
type LazyPath = () => string;

/**
 * Whether a value is a graphology graph. It is recognised by its methods, since it may come from another copy or
 * version of the library.
 */
const isGraphology = (value: unknown): value is GraphologyLike =>
  isMap(value) && ['forEachNode', 'forEachEdge', 'on'].every((name) => typeof Reflect.get(value, name) === 'function');

/** The greatest weight of an edge, which keeps sums and products of weights finite. */
const MAX_WEIGHT = 1e100;

/** The maximum number of reported problems of one graph: each of 100,000 edges may be malformed. */
const MAX_PROBLEMS = 20;

/** Collects the nodes and edges of a graph, and their problems. */
class GraphReader {
  readonly kinds = new Map<string, NodeKind>();
  readonly edges: EdgeInput[] = [];
  readonly problems: Problem[] = [];

  /** The kinds that were stated, not assumed. */
  readonly #declaredKinds = new Map<string, NodeKind>();

  constructor(private readonly path: string) {}

  /** @param found the malformed value; undefined if it is missing */
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
    const declared = this.#declaredKinds.get(id);
    if (declared !== undefined && kind && kind !== declared)
      this.report(() => `${where()}.kind`, `${declared}, as it was before`, kind);
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
 * Reads a graph in one of three forms: a map `{ nodes: ['a', { id: 'b', kind: 'capability' }], edges: [{ from: 'a', to:
 * 'b', weight: 0.5, count: 3 }], directed: true }`, a graphology graph whose attributes have the same names, or
 * graphology's JSON export. The ends of an edge need not be listed.
 *
 * @param path the path of the graph, for messages
 * @throws AssizeError (ASZ520) with the problems of a malformed graph, each with its path
 */
function readGraph(given: object, path: string): ToolGraph {
  const reader = new GraphReader(path);
  if (isGraphology(given)) readGraphology(given, reader);
  else readJson(given, reader);
  if (reader.problems.length > 0) throw new AssizeError(reader.problems);
  return new ToolGraph(reader.kinds, reader.edges);
}

function readGraphology(graph: GraphologyLike, reader: GraphReader): void {
  graph.forEachNode((node, { kind }) => reader.addNode(node, kind, () => `.nodes[${JSON.stringify(node)}]`));
  // Messages name edges by their ends, since most edge keys are generated by graphology.
  graph.forEachEdge((_key, attributes, source, target, _source, _target, undirected) =>
    reader.addEdge(source, target, attributes, undirected, () => `.edges[${JSON.stringify(`${source} → ${target}`)}]`),
  );
}

function readJson(graph: object, reader: GraphReader): void {
  const { nodes = [], edges = [], directed = true }: { nodes?: unknown; edges?: unknown; directed?: unknown } = graph;
  const keys = Object.keys(graph);
  if (keys.length > 0 && !keys.some((key) => key === 'nodes' || key === 'edges')) {
    reader.report(() => '', 'a map with nodes or edges', graph);
  }
  if (typeof directed !== 'boolean') reader.report(() => '.directed', 'true or false', directed);
  if (!Array.isArray(nodes)) reader.report(() => '.nodes', 'a list of nodes', nodes);
  else for (const [k, node] of nodes.entries()) readNode(node, () => `.nodes[${k}]`, reader);
  if (!Array.isArray(edges)) return reader.report(() => '.edges', 'a list of edges', edges);
  for (const [k, edge] of edges.entries()) {
    const where: LazyPath = () => `.edges[${k}]`;
    if (!isMap(edge)) {
      reader.report(where, 'an edge: { from, to, weight, count }', edge);
      continue;
    }
    const exported = isExportedEdge(edge);
    const [start, end] = exported ? ['source', 'target'] : ['from', 'to'];
    const [from, to] = [
      reader.readId(edge[start], () => `${where()}.${start}`),
      reader.readId(edge[end], () => `${where()}.${end}`),
    ];
    if (from === undefined || to === undefined) continue;
    const undirected = directed === false || (exported && edge['undirected'] === true);
    reader.addEdge(from, to, exported ? attributesOf(edge) : edge, undirected, where);
  }
}

function readNode(node: unknown, where: LazyPath, reader: GraphReader): void {
  const exported = isMap(node) && node['id'] === undefined && node['key'] !== undefined;
  const key = exported ? 'key' : 'id';
  const id = isMap(node) ? reader.readId(node[key], () => `${where()}.${key}`) : reader.readId(node, where);
  const { kind }: { kind?: unknown } = !isMap(node) ? {} : exported ? attributesOf(node) : node;
  if (id !== undefined) reader.addNode(id, kind, where);
}

/** Whether an edge has graphology's format. In other formats, `source` states the origin of the weight. */
const isExportedEdge = (edge: Readonly<Record<string, unknown>>): boolean =>
  edge['from'] === undefined && edge['to'] === undefined && edge['target'] !== undefined;

const attributesOf = ({ attributes }: { readonly attributes?: unknown }): Readonly<Record<string, unknown>> =>
  isMap(attributes) ? attributes : {};

/*
 * The weight of an edge that states a type and a source in place of a weight is the product of both tables' weights.
 * The tables are the reference project's later ones; its original document gives edges a weight only.
 */

const TYPE_WEIGHTS: Readonly<Record<string, number>> = { dependency: 1, contains: 0.8, provides: 0.7, sequence: 0.5 };
const SOURCE_WEIGHTS: Readonly<Record<string, number>> = { observed: 1, inferred: 0.7, template: 0.5 };
const UNKNOWN_WEIGHTS = { type: 0.5, source: 0.7 };

const lookUp = (table: Readonly<Record<string, number>>, key: unknown): number | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

/** The default weight by type and source; 1 for an edge with neither. */
function defaultEdgeWeight(type: unknown, source: unknown): number {
  if (type === undefined && source === undefined) return 1;
  return (
    (lookUp(TYPE_WEIGHTS, type) ?? UNKNOWN_WEIGHTS.type) * (lookUp(SOURCE_WEIGHTS, source) ?? UNKNOWN_WEIGHTS.source)
  );
}
