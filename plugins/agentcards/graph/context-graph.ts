import { AssizeError, type Context, contextPath, describeValue, type PathReader } from '../../../src/sdk.js';
import { type GraphologyLike, isGraphology, readGraph } from './read-graph.js';
import type { ToolGraph } from './tool-graph.js';

/** A param that says where in the context the graph is. */
export const graphParam = () => contextPath('graph').describe('The path to the graph, in the context.');

interface CachedGraph {
  readonly fingerprint: readonly unknown[];
  readonly graph: ToolGraph;
}

/** The graphs that were read, by the object that they were read from: work on a graph is kept with it. */
const graphCache = new WeakMap<object, CachedGraph>();

/** The graphs of graphology that tell of every change. */
const observedGraphs = new WeakSet<object>();

/** What graphology says of a change that may change what is read. */
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

/** Forgets a graph of graphology as soon as it changes. */
function evictOnChange(graph: GraphologyLike): void {
  if (observedGraphs.has(graph)) return;
  observedGraphs.add(graph);
  const forget = (): void => void graphCache.delete(graph);
  for (const change of CHANGE_EVENTS) graph.on(change, forget);
}

/**
 * What tells a graph from what it was: the `version` that its owner gives it, its lists, and how long they are. Who
 * changes what is in a list raises the version.
 */
function fingerprintOf(given: object): readonly unknown[] {
  if (isGraphology(given)) return [];
  const { version, directed, nodes, edges }: { [key in 'version' | 'directed' | 'nodes' | 'edges']?: unknown } = given;
  return [version, directed, nodes, edges, ...[nodes, edges].map((list) => (Array.isArray(list) ? list.length : 0))];
}

const sameElements = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => Object.is(one, b[i]));

/**
 * The graph of a run; undefined where the context has none, or one without nodes. Read once, and again when it changed.
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
  const before = graphCache.get(given);
  if (before !== undefined && sameElements(before.fingerprint, fingerprint)) return nonEmpty(before.graph);
  const graph = readGraph(given, path.source);
  if (isGraphology(given)) evictOnChange(given);
  graphCache.set(given, { fingerprint, graph });
  return nonEmpty(graph);
}

const nonEmpty = (graph: ToolGraph): ToolGraph | undefined => (graph.order === 0 ? undefined : graph);
