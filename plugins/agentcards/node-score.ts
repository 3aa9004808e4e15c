import {
  abstain,
  AssizeError,
  type Context,
  contextPath,
  describeValue,
  type Note,
  path,
  type PathReader,
  type Score,
  typeMismatch,
} from '../../src/unit-sdk.js';
import { contextGraph, graphParam } from './read-graph.js';
import type { ToolGraph } from './tool-graph.js';

/** The param that is the path to the tools in use in the context. */
export const toolsParam = () =>
  contextPath('tools').describe('The path to the ids of the tools in use in the context.');

/** The ids of a list, or a problem with its path. */
type IdListResult = { readonly ids: readonly string[] } | { readonly message: string; readonly path: string };

/**
 * Reads a list of ids, which may be numbers.
 *
 * @param at the path of the list, for messages
 */
export function readIdList(list: unknown, at: string): IdListResult {
  if (!Array.isArray(list)) return { message: `${at} is ${describeValue(list)}; expected a list of ids`, path: at };
  const ids: string[] = [];
  for (const [k, id] of list.entries() as Iterable<[number, unknown]>) {
    if (typeof id !== 'string' && typeof id !== 'number') {
      const place = `${at}[${k}]`;
      return { message: `${place} is ${describeValue(id)}; expected an id (a string or a number)`, path: place };
    }
    ids.push(String(id));
  }
  return { ids };
}

/**
 * Reads the ids at a path of the context; empty if it is absent.
 *
 * @throws AssizeError (ASZ521) if it is not a list of ids
 */
export function contextIds(tools: PathReader, context: Context): readonly string[] {
  const read = readIdList(tools(context) ?? [], tools.source);
  if ('ids' in read) return read.ids;
  throw new AssizeError([{ code: 'ASZ521', ...read }]);
}

/** The params of a scorer that looks the candidate up in the graph. */
export const nodeParams = {
  graph: graphParam(),
  node: path('id').describe('The path to the id of the candidate’s node.'),
};

/** The params of a scorer that relates the candidate to the tools in use. */
export const relatedParams = { ...nodeParams, tools: toolsParam() };

/** The reasons for which such a scorer abstains. */
export const nodeReasons = {
  no_graph: 'the context has no graph',
  no_tools: 'no tool in use is in the graph',
  unnamed: 'the candidate has no {node}',
  unknown: '{id} is not in the graph',
} as const;

/** A score function that abstains on every candidate. */
export const abstainAlways =
  (reason: 'no_graph' | 'no_tools'): Score<unknown> =>
  (_candidate, _index, note) =>
    abstain(note, reason);

/** Reads the id of a candidate's node; undefined if it has none. */
export function nodeIdOf(node: PathReader, candidate: unknown): string | undefined {
  const id = node(candidate);
  if (id === undefined || typeof id === 'string') return id;
  if (typeof id === 'number') return String(id);
  throw typeMismatch(node.source, 'the id of a node (a string or a number)', id);
}

/**
 * A score function of the candidate's node.
 *
 * @param missing the score of a candidate that is not in the graph
 */
export const scoreByNode =
  (
    graph: ToolGraph,
    node: PathReader,
    missing: number | undefined,
    score: (node: number, note: Note | undefined) => number | undefined,
  ): Score<unknown> =>
  (candidate, _index, note) => {
    const id = nodeIdOf(node, candidate);
    if (id === undefined) return abstain(note, 'unnamed', { node: node.source });
    const number = graph.numberOf(id);
    if (number !== undefined) return score(number, note);
    note?.('unknown', { id });
    return missing;
  };

/** The graph of a run with the numbers of the tools in use, or the reason to abstain. */
export function graphAndTools(
  { graph: at, tools }: { readonly graph: PathReader; readonly tools: PathReader },
  context: Context,
): { readonly graph: ToolGraph; readonly used: readonly number[] } | 'no_graph' | 'no_tools' {
  const graph = contextGraph(context, at);
  if (graph === undefined) return 'no_graph';
  const used = graph.numbersOf(contextIds(tools, context));
  return used.length === 0 ? 'no_tools' : { graph, used };
}
