import { AssizeError, type Context, contextPath, describeValue, type PathReader } from '../../../src/sdk.js';
import { type GraphologyLike, isGraphology, readGraph } from './read-graph.js';
import type { ToolGraph } from './tool-graph.js';

/** A param that says where in the context the graph is. */
export const graphParam = () => contextPath('graph').describe('The path to the graph, in the context.');

interface Known {
  readonly edition: readonly unknown[];
  readonly graph: ToolGraph;
}

/** The graphs that were read, by the object that they were read from: work on a graph is kept with it. */
const known = new WeakMap<object, Known>();

/** The graphs of graphology that tell of every change. */
const watched = new WeakSet<object>();

/** What graphology says of a change that may change what is read. */
const CHANGES = [
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
function watch(graph: GraphologyLike): void {
  if (watched.has(graph)) return;
  watched.add(graph);
  const forget = (): void => void known.delete(graph);
  for (const change of CHANGES) graph.on(change, forget);
}

/**
 * What tells a graph from what it was: the `version` that its owner gives it, its lists, and how long they are. Who
 * changes what is in a list raises the version.
 */
function editionOf(given: object): readonly unknown[] {
  if (isGraphology(given)) return [];
  const { version, directed, nodes, edges }: { [key in 'version' | 'directed' | 'nodes' | 'edges']?: unknown } = given;
  return [version, directed, nodes, edges, ...[nodes, edges].map((list) => (Array.isArray(list) ? list.length : 0))];
}

const alike = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, i) => Object.is(one, b[i]));

/**
 * The graph of a run; undefined where the context has none, or one without nodes. Read once, and again when it changed.
 *
 * @throws AssizeError (ASZ520) where it is malformed
 */
export function graphOf(context: Context, path: PathReader): ToolGraph | undefined {
  const given = path(context);
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const message = `${path.source} is ${describeValue(given)}; expected a graph: { nodes, edges }, or one of graphology`;
    throw new AssizeError([{ code: 'ASZ520', message, path: path.source }]);
  }
  const edition = editionOf(given);
  const before = known.get(given);
  if (before !== undefined && alike(before.edition, edition)) return nonEmpty(before.graph);
  const graph = readGraph(given, path.source);
  if (isGraphology(given)) watch(given);
  known.set(given, { edition, graph });
  return nonEmpty(graph);
}

const nonEmpty = (graph: ToolGraph): ToolGraph | undefined => (graph.order === 0 ? undefined : graph);
