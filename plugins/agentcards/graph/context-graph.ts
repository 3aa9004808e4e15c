import { AssizeError, type Context, contextPath, describeValue, type PathReader } from '../../../src/sdk.js';
import { type GraphologyLike, isGraphology, readGraph } from './read-graph.js';
import type { ToolGraph } from './tool-graph.js';

/** The param that is the path to the graph in the context. */
export const graphParam = () => contextPath('graph').describe('The path to the graph, in the context.');

interface CachedGraph {
  readonly fingerprint: readonly unknown[];
  readonly graph: ToolGraph;
}

/** Graphs by the object that they were read from, so that results computed of a graph are kept with that object. */
const graphCache = new WeakMap<object, CachedGraph>();

/** The graphology graphs that have a listener for changes. */
const observedGraphs = new WeakSet<object>();

/** The events of graphology that may change what is read from a graph. */
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
 * The fingerprint by which a change of a graph is detected: its `version`, its lists, and their lengths. A caller that
 * changes an element of a list in place has to raise the version.
 */
function fingerprintOf(given: object): readonly unknown[] {
  if (isGraphology(given)) return [];
  const { version, directed, nodes, edges }: { [key in 'version' | 'directed' | 'nodes' | 'edges']?: unknown } = given;
  return [version, directed, nodes, edges, ...[nodes, edges].map((list) => (Array.isArray(list) ? list.length : 0))];
}

const sameElements = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => Object.is(one, b[i]));

/**
 * Reads the graph of a run; undefined where the context has none, or one without nodes. A graph is read once, and again
 * when it changed.
 *
 * @throws AssizeError (ASZ520) where it is malformed
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
