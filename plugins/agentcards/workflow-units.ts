import {
  defineReport,
  defineSignal,
  describeValue,
  expression,
  type ParamsOf,
  path,
  type RankedRow,
  type Report,
  type ReportResult,
  type ReportRun,
  RUN_VARIABLES,
  type RunFacts,
  type Signal,
  z,
} from '../../src/unit-sdk.js';
import { nodeIdOf } from './node-score.js';
import { fewestHops, hopConfidence, hopParams } from './path-scorer.js';
import { contextGraph, graphParam } from './read-graph.js';
import type { ToolGraph } from './tool-graph.js';

type GraphParams = ParamsOf<typeof GraphSignal>;

/** The size of the context's graph. */
interface ToolGraphFacts {
  readonly nodes: number;
  /** Directed edges between different nodes; an undirected one is two. */
  readonly edges: number;
  readonly capabilities: number;
  /** `edges / (nodes × (nodes − 1))`; 0 with fewer than two nodes. */
  readonly density: number;
}

/** Returns the size and the density of the context's graph; all 0 without a graph. */
export class GraphSignal implements Signal<GraphParams, ToolGraphFacts> {
  static readonly meta = defineSignal({
    summary: 'The size and the density of the context’s graph.',
    params: z.strictObject({ graph: graphParam() }),
  });

  prepare({ graph: at }: GraphParams, run: RunFacts): ToolGraphFacts {
    const graph = contextGraph(run.context, at);
    if (graph === undefined) return { nodes: 0, edges: 0, capabilities: 0, density: 0 };
    return { nodes: graph.order, edges: graph.size, capabilities: graph.capabilityCount, density: graph.density };
  }
}

const namedValues = z.record(z.string(), z.number()).describe('The values, by name.');

const isAscending = (numbers: readonly number[]): boolean => numbers.every((n, i) => i === 0 || n > numbers[i - 1]!);

const stages = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      below: z.number().optional().describe('The exclusive upper bound; the last stage has none.'),
      values: namedValues,
    }),
  )
  .min(1)
  .refine((list) => isAscending(list.slice(0, -1).map(({ below }) => below ?? Number.NaN)), {
    message: 'expected every stage but the last to have a below, each above the one before it',
  })
  .refine((list) => list.at(-1)?.below === undefined, { message: 'expected no below in the last stage' });

const anchors = z
  .array(z.strictObject({ at: z.number(), values: namedValues }))
  .min(2)
  .refine((list) => isAscending(list.map(({ at }) => at)), { message: 'expected each at above the one before it' })
  .refine((list) => new Set(list.map((anchor) => Object.keys(anchor.values).toSorted().join())).size === 1, {
    message: 'expected the same names in the values of each',
  });

type StageParams = ParamsOf<typeof StageSignal>;

/**
 * Returns values that depend on a number of the run, such as weights by the density of a graph. With stages, each one
 * applies from the end of the previous one up to its own `below`. With anchors, the values are interpolated linearly
 * and constant outside.
 */
export class StageSignal implements Signal<StageParams> {
  static readonly meta = defineSignal({
    summary: 'Values that depend on a number, by stages or by linear interpolation, such as weights by graph density.',
    params: z
      .strictObject({
        by: expression({ scope: { name: 'a signal', variables: RUN_VARIABLES }, want: 'number' }).describe(
          'The number.',
        ),
        stages: stages.optional().describe('Stages in order: { name, below, values }; the last has no below.'),
        anchors: anchors.optional().describe('Interpolation points in order: { at, values }.'),
      })
      .refine(
        (given) => (given.stages === undefined) !== (given.anchors === undefined),
        'expected either stages or anchors',
      ),
  });

  prepare(
    { by, stages: steps = [], anchors: line }: StageParams,
    run: RunFacts,
  ): Readonly<Record<string, unknown>> | undefined {
    const number = run.expression(by)(undefined, 0);
    if (number === undefined) return undefined;
    if (typeof number !== 'number' || Number.isNaN(number)) {
      throw new TypeError(`${by.source} is ${describeValue(number)}; expected a number`);
    }
    if (line !== undefined) return interpolate(line, number);
    const stage = steps.find(({ below }) => below === undefined || number < below);
    return stage && { stage: stage.name, ...stage.values };
  }
}

/** The values at a number, linearly between the two nearest anchors. */
function interpolate(line: NonNullable<StageParams['anchors']>, number: number): Readonly<Record<string, number>> {
  const next = line.findIndex(({ at }) => number < at);
  const high = line.at(next < 0 ? -1 : next)!;
  const low = next <= 0 ? high : line[next - 1]!;
  const share = low === high ? 0 : (number - low.at) / (high.at - low.at);
  return Object.fromEntries(
    Object.entries(low.values).map(([name, value]) => [name, value + share * (high.values[name]! - value)]),
  );
}

const reportScope = { name: 'a report', variables: RUN_VARIABLES };

const entryIdParam = (name: string) =>
  z.string().default(name).describe('The id of the scorer or measure that provides it.');

type DagConfidenceParams = ParamsOf<typeof DagConfidence>;

/** The confidence in a whole ranking and its three parts. */
interface WorkflowConfidence {
  readonly confidence: number;
  readonly hybrid: number;
  readonly page_rank: number;
  readonly path: number;
}

/**
 * Reports the confidence in a workflow of the best tools: `hybrid × w₁ + PageRank × w₂ + path × w₃`. Hybrid is the
 * score of the best row. PageRank is the mean over the best `mean_of` rows. Path is the mean confidence of the paths
 * from better to worse rows among the best `steps`, or `no_path` without any. All are 0 for an empty ranking.
 */
export class DagConfidence implements Report<DagConfidenceParams> {
  static readonly meta = defineReport({
    summary: 'Reports the confidence in a workflow of the best tools.',
    reads: 'params',
    params: z.strictObject({
      hybrid: entryIdParam('hybrid'),
      page_rank: entryIdParam('page_rank'),
      weights: expression({ scope: reportScope }).describe('A map with the weights hybrid, page_rank and path.'),
      mean_of: z.int().positive().default(3).describe('The number of best rows over which PageRank is averaged.'),
      steps: z.int().positive().default(5).describe('The number of best rows between which paths are searched.'),
      ...hopParams,
      no_path: z.number().min(0).max(1).default(0.5).describe('The path confidence if there is no path.'),
      max: z.number().optional().describe('The upper limit of the confidence.'),
      graph: graphParam(),
      node: path('id').describe('The path to the id of a candidate’s node.'),
      warn_below: z.number().optional().describe('Warns if the confidence is below this.'),
    }),
  });

  prepare(params: DagConfidenceParams, run: ReportRun): ReportResult {
    const { mean_of, steps, no_path, max = Number.POSITIVE_INFINITY } = params;
    const [best] = run.ranked;
    if (best === undefined)
      return { value: { confidence: 0, hybrid: 0, page_rank: 0, path: 0 } satisfies WorkflowConfidence };
    const weights = readWeights(run.expression(params.weights)(undefined, 0), params.weights.source);
    const hybrid = run.value(best, params.hybrid) ?? 0;
    const pageRank = mean(run.ranked.slice(0, mean_of).map((row) => run.value(row, params.page_rank))) ?? 0;
    const graph = contextGraph(run.context, params.graph);
    const pathMean = (graph && mean(pathConfidences(graph, run.ranked.slice(0, steps), params))) ?? no_path;
    const sum = hybrid * weights.hybrid + pageRank * weights.page_rank + pathMean * weights.path;
    const value: WorkflowConfidence = { confidence: Math.min(max, sum), hybrid, page_rank: pageRank, path: pathMean };
    const { warn_below: bound } = params;
    if (bound === undefined || value.confidence >= bound) return { value };
    return { value, warnings: [`low confidence: ${Number(value.confidence.toPrecision(3))}, below ${bound}`] };
  }
}

const isWeights = (value: unknown): value is Pick<WorkflowConfidence, 'hybrid' | 'page_rank' | 'path'> =>
  typeof value === 'object' &&
  value !== null &&
  ['hybrid', 'page_rank', 'path'].every((name) => Number.isFinite(Reflect.get(value, name)));

function readWeights(value: unknown, source: string): Pick<WorkflowConfidence, 'hybrid' | 'page_rank' | 'path'> {
  if (isWeights(value)) return value;
  const found = value === undefined ? 'absent' : describeValue(value);
  throw new TypeError(`the weights ${source} are ${found}; expected a map with hybrid, page_rank and path`);
}

/** The mean of the defined values; undefined if there are none. */
function mean(values: readonly (number | undefined)[]): number | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : present.reduce((sum, value) => sum + value, 0) / present.length;
}

/** The confidence of each shortest path from a better row to a worse one. */
function pathConfidences(graph: ToolGraph, rows: readonly RankedRow[], params: DagConfidenceParams): readonly number[] {
  const nodes = rows.map(({ candidate }) => graph.numberOf(nodeIdOf(params.node, candidate)));
  return nodes.flatMap((from, at) => {
    const later = nodes.slice(at + 1).filter((to) => to !== undefined && to !== from);
    if (from === undefined || later.length === 0) return [];
    const { hops } = fewestHops(graph, [from]);
    return later.flatMap((to) => (hops[to!]! > 0 ? [hopConfidence(params, hops[to!]!)] : []));
  });
}
