import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { conceptGraphFacts } from '../turn/concept-graph.js';
import { coverageOf } from '../turn/coverage.js';
import { flagAt, mapAt, numberAt, textAt } from '../turn/field-readers.js';
import { isWidening, readMove } from '../turn/interview-move.js';
import { ignoredParam, useSignalsParam } from '../turn/params.js';
import { languageModelSignal } from '../turn/signals.js';

/** The usual number of node types, by which breadth is estimated where no coverage is known. */
const EXPECTED_TYPES = 5;
const MAX_DEPTH = 5;

/** The wanted direction, and the reason with its data. */
interface BalanceTarget {
  readonly want: 'breadth' | 'depth' | 'neither';
  readonly reason: 'contradiction' | 'suggested' | 'balance';
  readonly data: Readonly<Record<string, unknown>>;
}

/** The scores of depth, of widening and of all other moves, by the wanted direction. */
const TARGET_SCORES = {
  breadth: { depth: 0.7, wide: 1.5, other: 0.9 },
  depth: { depth: 1.5, wide: 0.7, other: 0.9 },
  neither: { depth: 1.1, wide: 1.1, other: 1.1 },
} as const;

type Params = ParamsOf<typeof DepthBreadthBalanceScorer>;

/**
 * Favours breadth while little is covered, else depth while little is explored. A language model's signal of how
 * abstract the answers are, where there is one, decides instead; a contradiction in the answers calls for depth.
 */
export class DepthBreadthBalanceScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours breadth while little was covered, then depth; rests at 1.1.',
    params: z.strictObject({
      low_breadth_threshold: z.number().default(0.4).describe('A coverage below this asks for breadth.'),
      low_depth_threshold: z.number().default(0.5).describe('A depth below this asks for depth.'),
      use_llm_signals: useSignalsParam,
      target_ratio: ignoredParam,
      high_breadth_threshold: ignoredParam,
      high_depth_threshold: ignoredParam,
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      contradiction: 'the answers contradict each other, which asks for depth',
      suggested: 'the answers ask for: {suggestion}',
      balance: 'breadth {breadth}, depth {depth}: {want} is wanted',
    },
  });

  prepare(params: Params, run: Run): Score<unknown> {
    const { want, reason, data } = targetBySignals(params, run) ?? targetByRules(params, run);
    const scores = TARGET_SCORES[want];
    return (candidate, _index, note) => {
      const move = readMove(candidate);
      note?.(reason, data);
      return move.category === 'depth' ? scores.depth : isWidening(move) ? scores.wide : scores.other;
    };
  }
}

const BY_SUGGESTION: Readonly<Record<string, BalanceTarget['want']>> = {
  deepen: 'depth',
  broaden: 'breadth',
  stay: 'neither',
};

/** The direction by the language model's signals; undefined without them. */
function targetBySignals(params: Params, { signals }: Run): BalanceTarget | undefined {
  const contradiction = languageModelSignal(signals, 'contradiction', params);
  if (flagAt(contradiction, 'has_contradiction', 'signals.contradiction')) {
    return { want: 'depth', reason: 'contradiction', data: {} };
  }
  const signal = languageModelSignal(signals, 'concept_depth', params);
  const suggestion = textAt(signal, 'suggestion', 'signals.concept_depth') ?? '';
  const want = Object.hasOwn(BY_SUGGESTION, suggestion) ? BY_SUGGESTION[suggestion] : undefined;
  return want && { want, reason: 'suggested', data: { suggestion } };
}

function targetByRules(params: Params, run: Run): BalanceTarget {
  const breadth = breadthOf(run);
  const depth = depthOf(run);
  const want =
    breadth < params.low_breadth_threshold ? 'breadth' : depth < params.low_depth_threshold ? 'depth' : 'neither';
  return { want, reason: 'balance', data: { breadth, depth, want } };
}

/** The share of covered elements; above 1 where more were seen than the concept has. */
function breadthOf({ context }: Run): number {
  const { covered, total } = coverageOf(context);
  if (covered > 0) return total > 0 ? covered / total : 0;
  const types = [...conceptGraphFacts(context).nodesByType.values()].filter((count) => count > 0).length;
  return Math.min(1, types / EXPECTED_TYPES);
}

/** The depth: the mean length of a chain where it is known, else the mean degree of a node, at most 5. */
function depthOf({ context, signals }: Run): number {
  const chains = mapAt(context, 'chain_depth', 'context') ?? mapAt(signals, 'chain_depth', 'signals');
  const mean = numberAt(chains, 'avg_chain_length', 'chain_depth');
  if (mean !== undefined) return mean;
  const { nodeCount, edgeCount } = conceptGraphFacts(context);
  return nodeCount === 0 ? 0 : Math.min(MAX_DEPTH, (2 * edgeCount) / nodeCount);
}
