import {
  abstain,
  type BatchScorer,
  defineScorer,
  type ParamsOf,
  path,
  type Run,
  type Score,
  z,
} from '../../src/sdk.js';
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

/** Whether an edge is stronger: heavier, or of equal weight and observed more often. */
const isStronger = (a: Edge, b: Edge): boolean => a.weight > b.weight || (a.weight === b.weight && a.count > b.count);

/**
 * Scores the strongest edge between a tool in use and a candidate's node: its weight, or the number of its
 * observations.
 */
export class EdgeScorer implements BatchScorer<EdgeParams> {
  static readonly meta = defineScorer({
    summary: 'Favours what a strong edge leads to from a tool in use: what was used after it.',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      give: z.enum(['weight', 'count']).default('weight').describe('What of the edge is the score.'),
      direction: z
        .enum(['to_candidate', 'from_candidate', 'either'])
        .default('to_candidate')
        .describe('Which way the edge leads.'),
      no_edge: z.number().optional().describe('What it gives where no edge leads there; when not said, it abstains.'),
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

/** The edges between a tool and a node in the wanted direction. */
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
 * Scores how closely a candidate's node is related to a tool in use, the greatest over all of them. An edge either way
 * counts `direct_edge`, else Adamic and Adar's measure counts, divided by `divide_by` and at most `cap`.
 *
 * A node that is not in the graph, or has no neighbours, scores 0.
 */
export class AdamicAdarScorer implements BatchScorer<AdamicAdarParams> {
  static readonly meta = defineScorer({
    summary: 'Favours what has common neighbours with the tools in use, in the graph (Adamic-Adar).',
    reads: 'params',
    params: z.strictObject({
      ...relatedParams,
      degree: z
        .enum(['neighbours', 'edges'])
        .default('neighbours')
        .describe('What makes a common neighbour common: its different neighbours, or its edges in and out.'),
      direct_edge: z
        .union([z.number(), z.literal('ignore')])
        .default(1)
        .describe('The score where an edge leads from one to the other; ignore: the measure counts there, too.'),
      divide_by: z.number().positive().default(2).describe('What the measure is divided by.'),
      cap: z
        .union([z.number().positive(), z.literal('none')])
        .default(1)
        .describe('The most that the measure may come to.'),
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

/** The meaning of a node's degree: its different neighbours, or its edges, of which a mutual pair has two. */
type DegreeKind = 'neighbours' | 'edges';

/** The relation of one node to each of the others, by their indexes among the others. */
interface AdamicAdarRow {
  /** The indexes of its neighbours, ascending. */
  readonly adjacent: readonly number[];
  /** Its measure with each. The next call overwrites this array. */
  readonly measures: Float64Array;
}

const NONE_ADJACENT: readonly number[] = [];

/**
 * Prepares Adamic and Adar's measure (2003) of any node with each of some others: `Σ 1 / ln(degree)` over their common
 * neighbours, ignoring the direction of edges. A neighbour of degree 1 adds nothing: it is common to a node and itself
 * only. For a node and itself the sum is over all its neighbours.
 *
 * The others' neighbours are indexed once, so that a call takes time in proportion to the neighbours of its node.
 */
function adamicAdar(
  graph: ToolGraph,
  others: readonly number[],
  degreeOf: DegreeKind,
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
 * Scores the share of the tools (or capabilities) in use that a candidate's node meets: tools that one capability uses
 * both, capabilities that use the same tool, or a capability and a tool that it uses.
 */
export class HypergraphNeighbourScorer implements BatchScorer<HypergraphNeighbourParams> {
  static readonly meta = defineScorer({
    summary: 'Favours what shares a capability or a tool with what is in use.',
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
 * Scores how many of a candidate's tools are in use. `jaccard`: the common ones of those that either has;
 * `containment`: of the candidate's own. A tool named twice counts once; a candidate without tools scores 0. Where no
 * tools are in use, the scorer abstains.
 */
export class OverlapScorer implements BatchScorer<OverlapParams> {
  static readonly meta = defineScorer({
    summary: 'Favours capabilities that use the tools in use.',
    reads: 'params',
    params: z.strictObject({
      measure: z.enum(['jaccard', 'containment']).describe('common / (either’s), or common / the candidate’s own.'),
      own: path('tools_used').describe('The path to the ids of the candidate’s tools.'),
      tools: toolsParam(),
      min: z
        .number()
        .min(0)
        .max(1)
        .default(0)
        .describe('An overlap below it counts as none; the bound itself does not.'),
    }),
    range: [0, 1],
    scope: 'candidate',
    reasons: {
      shared: '{common} of its {own} tools are in use, of {used}',
      little: '{common} of its {own} tools are in use, of {used}: below {min}',
      no_tools: 'the context says of no tool that it is in use',
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
