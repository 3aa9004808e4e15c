import { abstain, type Context, type Note, type PathReader, path, type Score, typeMismatch } from '../../src/sdk.js';
import { contextGraph, graphParam } from './graph/context-graph.js';
import type { ToolGraph } from './graph/tool-graph.js';
import { contextIds, toolsParam } from './id-list.js';

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

/** Reads the id of a candidate's node; undefined where it has none. */
export function nodeIdOf(node: PathReader, candidate: unknown): string | undefined {
  const id = node(candidate);
  if (id === undefined || typeof id === 'string') return id;
  if (typeof id === 'number') return String(id);
  throw typeMismatch(node.source, 'the id of a node, a text or a number', id);
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
