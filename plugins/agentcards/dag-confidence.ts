import {
  defineReport,
  describeValue,
  expression,
  type ParamsOf,
  path,
  type RankedRow,
  type Report,
  type ReportResult,
  type ReportRun,
  RUN_VARIABLES,
  z,
} from '../../src/sdk.js';
import { contextGraph, graphParam } from './graph/context-graph.js';
import { fewestHops } from './graph/shortest-paths.js';
import type { ToolGraph } from './graph/tool-graph.js';
import { hopConfidence, hopParams } from './hop-confidence.js';
import { nodeIdOf } from './node-score.js';

const scope = { name: 'a report', variables: RUN_VARIABLES };

const entryIdParam = (name: string) =>
  z.string().default(name).describe('The id of the scorer or measure that gives it.');

type Params = ParamsOf<typeof DagConfidence>;

/** The confidence in a ranking as a whole, and its three parts. */
export interface WorkflowConfidence {
  readonly confidence: number;
  readonly hybrid: number;
  readonly page_rank: number;
  readonly path: number;
}

/**
 * Reports the confidence in a workflow of the best tools: `hybrid × w₁ + PageRank × w₂ + path × w₃`. Hybrid is the
 * score of the best row, PageRank the mean over the best `mean_of`, and path the mean confidence of the paths from a
 * better to a worse of the best `steps` rows; `no_path` without any. All are 0 for an empty ranking.
 */
export class DagConfidence implements Report<Params> {
  static readonly meta = defineReport({
    summary: 'How confident one may be of a workflow of the best tools.',
    reads: 'params',
    params: z.strictObject({
      hybrid: entryIdParam('hybrid'),
      page_rank: entryIdParam('page_rank'),
      weights: expression({ scope }).describe('A map with the weights hybrid, page_rank and path.'),
      mean_of: z.int().positive().default(3).describe('PageRank is the mean over so many of the best.'),
      steps: z.int().positive().default(5).describe('Ways are looked for between so many of the best.'),
      ...hopParams,
      no_path: z.number().min(0).max(1).default(0.5).describe('The path confidence where there is no way.'),
      max: z.number().optional().describe('The most that it may come to.'),
      graph: graphParam(),
      node: path('id').describe('The path to the id of a candidate’s node.'),
      warn_below: z.number().optional().describe('Warns below it.'),
    }),
  });

  prepare(params: Params, run: ReportRun): ReportResult {
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

/** The mean of the values that are present; undefined without any. */
function mean(values: readonly (number | undefined)[]): number | undefined {
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : present.reduce((sum, value) => sum + value, 0) / present.length;
}

/** The confidence of each shortest path from a better row to a worse one. */
function pathConfidences(graph: ToolGraph, rows: readonly RankedRow[], params: Params): readonly number[] {
  const nodes = rows.map(({ candidate }) => graph.numberOf(nodeIdOf(params.node, candidate)));
  return nodes.flatMap((from, at) => {
    const later = nodes.slice(at + 1).filter((to) => to !== undefined && to !== from);
    if (from === undefined || later.length === 0) return [];
    const { hops } = fewestHops(graph, [from]);
    return later.flatMap((to) => (hops[to!]! > 0 ? [hopConfidence(params, hops[to!]!)] : []));
  });
}
