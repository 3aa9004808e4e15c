import {
  abstain,
  type BatchScorer,
  defineScorer,
  type ParamsOf,
  path,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';
import {
  abstainAlways,
  contextIds,
  graphAndTools,
  nodeReasons,
  readIdList,
  relatedParams,
  scoreByNode,
  toolsParam,
} from './node-score.js';
import { type Edge, hypergraphOf, targetsOf, type ToolGraph } from './tool-graph.js';

type EdgeParams = ParamsOf<typeof EdgeScorer>;

/** Whether an edge is stronger: it has a greater weight, or an equal weight and more observations. */
const isStronger = (a: Edge, b: Edge): boolean => a.weight > b.weight || (a.weight === b.weight && a.count > b.count);

/**
 * Scores the strongest edge between a tool in use and a candidate's node, by its weight or the number of its
 * observations.
 */
export class EdgeScorer implements BatchScorer<EdgeParams> {
  static readonly meta = defineScorer({
    summary: 'Favours nodes with a strong edge from a tool in use, such as tools that were used after it.',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      give: z.enum(['weight', 'count']).default('weight').describe('The property of the edge to use as the score.'),
      direction: z
        .enum(['to_candidate', 'from_candidate', 'either'])
        .default('to_candidate')
        .describe('The direction of the edge.'),
      no_edge: z.number().optional().describe('The score without such an edge. Default: the scorer abstains.'),
    }),
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      edge: 'an edge of weight {weight} with {id}, observed {count} times',
      no_edge: 'no edge leads there from any tool in use',
    },
  });

  prepare(params: EdgeParams, run: Run): Score<unknown> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const strongest = new Map<number, Edge & { readonly id: string }>();
    for (const tool of used) {
      for (const node of [tool, ...graph.neighboursOf(tool)]) {
        for (const { weight, count } of edgesBetween(graph, tool, node, params.direction)) {
          const known = strongest.get(node);
          const edge = { weight, count, id: graph.ids[tool]! };
          if (known === undefined || isStronger(edge, known)) strongest.set(node, edge);
        }
      }
    }
    return scoreByNode(graph, params.node, params.no_edge, (node, note) => {
      const edge = strongest.get(node);
      if (edge === undefined) {
        note?.('no_edge');
        return params.no_edge;
      }
      note?.('edge', { weight: edge.weight, count: edge.count, id: edge.id });
      return edge[params.give];
    });
  }
}

/** The edges between a tool and a node in the requested direction. */
function edgesBetween(
  graph: ToolGraph,
  tool: number,
  node: number,
  direction: EdgeParams['direction'],
): readonly Edge[] {
  const there = direction === 'from_candidate' ? undefined : graph.edge(tool, node);
  const back = direction === 'to_candidate' ? undefined : graph.edge(node, tool);
  return [there, back].filter((edge) => edge !== undefined);
}

type AdamicAdarParams = ParamsOf<typeof AdamicAdarScorer>;

/**
 * Scores how closely a candidate's node is related to the tools in use; the greatest relation counts. If an edge joins
 * the two nodes in either direction, the score is `direct_edge`. Otherwise it is Adamic and Adar's measure, divided by
 * `divide_by` and at most `cap`.
 *
 * A node that is not in the graph or has no neighbours scores 0.
 */
export class AdamicAdarScorer implements BatchScorer<AdamicAdarParams> {
  static readonly meta = defineScorer({
    summary: 'Favours nodes that share graph neighbours with the tools in use (Adamic-Adar).',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      degree: z
        .enum(['neighbours', 'edges'])
        .default('neighbours')
        .describe('The degree of a common neighbour: its distinct neighbours, or its incoming and outgoing edges.'),
      direct_edge: z
        .union([z.number(), z.literal('ignore')])
        .default(1)
        .describe('The score if an edge joins the two nodes. ignore: use the measure also then.'),
      divide_by: z.number().positive().default(2).describe('The divisor of the measure.'),
      cap: z
        .union([z.number().positive(), z.literal('none')])
        .default(1)
        .describe('The upper limit of the measure.'),
    }),
    scope: 'candidate',
    reasons: {
      ...nodeReasons,
      direct: 'an edge joins it with {id}',
      related: 'Adamic-Adar {measure} with {id}',
      unrelated: 'no neighbour in common with any tool in use',
    },
  });

  prepare(params: AdamicAdarParams, run: Run): Score<unknown> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const { degree, direct_edge: direct, divide_by: divisor } = params;
    const cap = params.cap === 'none' ? Number.POSITIVE_INFINITY : params.cap;
    const relatedness = adamicAdar(graph, used, degree);
    return scoreByNode(graph, params.node, 0, (node, note) => {
      const { adjacent, measures } = relatedness(node);
      let best = 0;
      let why: [reason: 'direct' | 'related', id: string, measure?: number] | undefined;
      for (const [index, tool] of used.entries()) {
        const isDirect = direct !== 'ignore' && adjacent.includes(index);
        const measure = measures[index]!;
        const score = isDirect ? direct : Math.min(measure / divisor, cap);
        if (score <= best) continue;
        best = score;
        why = isDirect ? ['direct', graph.ids[tool]!] : ['related', graph.ids[tool]!, measure];
      }
      if (why === undefined) note?.('unrelated');
      else note?.(why[0], { id: why[1], measure: why[2] });
      return best;
    });
  }
}

/** The relations of one node to the other nodes, by index. */
interface AdamicAdarRow {
  /** The indexes of its neighbours, ascending. */
  readonly adjacent: readonly number[];
  /** Its measure with each. The next call overwrites this array. */
  readonly measures: Float64Array;
}

const NONE_ADJACENT: readonly number[] = [];

/**
 * Prepares Adamic and Adar's measure (2003) between any node and each of some others: `Σ 1 / ln(degree)` over their
 * common neighbours, ignoring the direction of edges. A neighbour of degree 1 adds nothing, since it is common only to
 * a node and itself. For a node and itself, the sum covers all its neighbours.
 *
 * The neighbours of the others are indexed once. A call then takes time in proportion to the neighbours of its node.
 */
function adamicAdar(
  graph: ToolGraph,
  others: readonly number[],
  degreeOf: 'neighbours' | 'edges',
): (node: number) => AdamicAdarRow {
  const neighbourhood = new Map<number, { readonly indexes: number[]; readonly rarity: number }>();
  for (const [index, other] of others.entries()) {
    for (const node of graph.neighboursOf(other)) {
      const known = neighbourhood.get(node);
      if (known !== undefined) {
        known.indexes.push(index);
        continue;
      }
      const degree = degreeOf === 'edges' ? graph.edgeCounts[node]! : graph.neighboursOf(node).length;
      neighbourhood.set(node, { indexes: [index], rarity: degree > 1 ? 1 / Math.log(degree) : 0 });
    }
  }
  const measures = new Float64Array(others.length);
  return (node) => {
    measures.fill(0);
    for (const neighbour of graph.neighboursOf(node)) {
      const known = neighbourhood.get(neighbour);
      if (known === undefined) continue;
      for (const index of known.indexes) measures[index]! += known.rarity;
    }
    return { adjacent: neighbourhood.get(node)?.indexes ?? NONE_ADJACENT, measures };
  };
}

type HypergraphNeighbourParams = ParamsOf<typeof HypergraphNeighbourScorer>;

/**
 * Scores the share of the tools (or capabilities) in use that a candidate's node is linked with: tools that one
 * capability uses together, capabilities that use the same tool, or a capability and a tool that it uses.
 */
export class HypergraphNeighbourScorer implements BatchScorer<HypergraphNeighbourParams> {
  static readonly meta = defineScorer({
    summary: 'Favours nodes that share a capability or a tool with the tools in use.',
    reads: 'params',
    params: z.strictObject(relatedParams),
    range: [0, 1],
    scope: 'candidate',
    reasons: { ...nodeReasons, met: 'shares a tool or a capability with {met} of {used} in use' },
  });

  prepare(params: HypergraphNeighbourParams, run: Run): Score<unknown> {
    const found = graphAndTools(params, run.context);
    if (typeof found === 'string') return abstainAlways(found);
    const { graph, used } = found;
    const links = hypergraphOf(graph);
    /** The nodes that each of those in use is linked to. */
    const linked = used.map((node) => new Set(targetsOf(links, node)));
    return scoreByNode(graph, params.node, 0, (node, note) => {
      const own = targetsOf(links, node);
      const met = linked.filter(
        (other, k) => used[k] !== node && (other.has(node) || own.some((one) => other.has(one))),
      );
      note?.('met', { met: met.length, used: used.length });
      return met.length / used.length;
    });
  }
}

type OverlapParams = ParamsOf<typeof OverlapScorer>;

/**
 * Scores the overlap of a candidate's tools with the tools in use. `jaccard` divides the common tools by the union,
 * `containment` by the candidate's own tools. A repeated tool counts once. A candidate without tools scores 0. If no
 * tools are in use, the scorer abstains.
 */
export class OverlapScorer implements BatchScorer<OverlapParams> {
  static readonly meta = defineScorer({
    summary: 'Favours capabilities that use the tools in use.',
    reads: 'params',
    params: z.strictObject({
      measure: z
        .enum(['jaccard', 'containment'])
        .describe('jaccard: common / union. containment: common / the candidate’s own.'),
      own: path('tools_used').describe('The path to the ids of the candidate’s tools.'),
      tools: toolsParam(),
      min: z.number().min(0).max(1).default(0).describe('An overlap below this scores 0.'),
    }),
    range: [0, 1],
    scope: 'candidate',
    reasons: {
      shared: '{common} of its {own} tools are in use, of {used}',
      little: '{common} of its {own} tools are in use, of {used}: below {min}',
      no_tools: 'the context has no tool in use',
      absent: 'the candidate has no {path}',
    },
  });

  prepare({ measure, own: at, tools, min }: OverlapParams, run: Run): Score<unknown> {
    const used = new Set(contextIds(tools, run.context));
    if (used.size === 0) return (_candidate, _index, note) => abstain(note, 'no_tools');
    return (candidate, _index, note) => {
      const list = at(candidate);
      if (list === undefined) return abstain(note, 'absent', { path: at.source });
      const read = readIdList(list, at.source);
      if ('message' in read) throw new TypeError(read.message);
      const own = new Set(read.ids);
      let common = 0;
      for (const id of own) if (used.has(id)) common += 1;
      const total = measure === 'jaccard' ? own.size + used.size - common : own.size;
      const overlap = total === 0 ? 0 : common / total;
      note?.(overlap < min ? 'little' : 'shared', { common, own: own.size, used: used.size, min });
      return overlap < min ? 0 : overlap;
    };
  }
}
