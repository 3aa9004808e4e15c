import { AssizeError, type Context, contextPath, describeValue, type PathReader } from '../../../src/sdk.js';
import { isGraphology, readGraph } from './read-graph.js';
import type { ToolGraph } from './tool-graph.js';

/** A param that says where in the context the graph is. */
export const graphParam = () => contextPath('graph').describe('The path to the graph, in the context.');

interface Known {
  readonly version: string;
  readonly graph: ToolGraph;
}

/** The graphs that were read, by the object that they were read from: work on a graph is kept with it. */
const known = new WeakMap<object, Known>();

/**
 * What tells a graph from what it was: the `version` that its owner gives it (an attribute, in graphology), and how
 * many nodes and edges it has. Who changes weights in place raises the version.
 */
function versionOf(given: object): string {
  if (isGraphology(given)) return JSON.stringify([given.getAttribute('version'), given.order, given.size]);
  const { version, nodes, edges }: { version?: unknown; nodes?: unknown; edges?: unknown } = given;
  return JSON.stringify([version, ...[nodes, edges].map((list) => (Array.isArray(list) ? list.length : undefined))]);
}

/**
 * The graph of a run; undefined where the context has none, or one without nodes. Read once a version.
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
  const version = versionOf(given);
  const before = known.get(given);
  const graph = before?.version === version ? before.graph : readGraph(given, path.source);
  if (graph !== before?.graph) known.set(given, { version, graph });
  return graph.order === 0 ? undefined : graph;
}
