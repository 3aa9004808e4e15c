import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../src/unit-sdk.js';
import { type ConceptElement, conceptGraphFacts, coverageOf } from './concepts.js';
import { flagAt, isWidening, languageModelSignal, mapAt, numberAt, readMove, textAt } from './fields.js';
import { clampScore, fractionParam, ignoredParam, useSignalsParam } from './params.js';

/** The score of a move that does not close a gap. */
const NO_GAP_SCORE = 0.85;

type CoverageGapParams = ParamsOf<typeof CoverageGapScorer>;

/**
 * Favours moves that close a gap: an element that is not covered, or not in depth. A coverage move always closes a gap.
 */
export class CoverageGapScorer implements BatchScorer<CoverageGapParams> {
  static readonly meta = defineScorer({
    summary: 'Favours elements that are not covered; 0.85 for moves that do not close a gap.',
    params: z.strictObject({
      boost_per_gap: z.number().default(0.15).describe('The amount that each gap adds to 1.'),
      depth_threshold: fractionParam(0.5, 'A covered element below this depth is a gap, if depths are known.'),
      gap_types: ignoredParam,
    }),
    range: [0, 2],
    scope: 'candidate',
    reasons: {
      gaps: 'gaps in {element}: {gaps}',
      coverage: 'the strategy covers something',
      none: 'it closes no gap',
    },
  });

  prepare({ boost_per_gap: boost, depth_threshold: deep }: CoverageGapParams, { context }: Run): Score<unknown> {
    const { elements, hasDepth } = coverageOf(context);
    const gapsOf = ({ covered, depth }: ConceptElement): number => {
      if (!covered) return hasDepth ? 2 : 1;
      return depth < deep ? 1 : 0;
    };
    const gaps = new Map(elements.map((element) => [element.id, gapsOf(element)]));
    return (candidate, _index, note) => {
      const { category, element } = readMove(candidate);
      const found = element === undefined ? 0 : (gaps.get(element) ?? 0);
      const counted = found === 0 && category === 'coverage' ? 1 : found;
      if (counted === 0) {
        note?.('none');
        return NO_GAP_SCORE;
      }
      note?.(found === 0 ? 'coverage' : 'gaps', { gaps: found, element });
      return clampScore(1 + counted * boost);
    };
  }
}

/** The usual number of node types, to estimate breadth if the coverage is unknown. */
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

type DepthBreadthBalanceParams = ParamsOf<typeof DepthBreadthBalanceScorer>;

/**
 * Favours breadth while little is covered, and then depth while little is explored. A language model's signal of how
 * abstract the answers are takes precedence. A contradiction in the answers calls for depth.
 */
export class DepthBreadthBalanceScorer implements BatchScorer<DepthBreadthBalanceParams> {
  static readonly meta = defineScorer({
    summary: 'Favours breadth while little is covered, then depth; 1.1 otherwise.',
    params: z.strictObject({
      low_breadth_threshold: z.number().default(0.4).describe('A coverage below this calls for breadth.'),
      low_depth_threshold: z.number().default(0.5).describe('A depth below this calls for depth.'),
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

  prepare(params: DepthBreadthBalanceParams, run: Run): Score<unknown> {
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

/** The direction according to the language model's signals; undefined without them. */
function targetBySignals(params: DepthBreadthBalanceParams, { signals }: Run): BalanceTarget | undefined {
  const contradiction = languageModelSignal(signals, 'contradiction', params);
  if (flagAt(contradiction, 'has_contradiction', 'signals.contradiction')) {
    return { want: 'depth', reason: 'contradiction', data: {} };
  }
  const signal = languageModelSignal(signals, 'concept_depth', params);
  const suggestion = textAt(signal, 'suggestion', 'signals.concept_depth') ?? '';
  const want = Object.hasOwn(BY_SUGGESTION, suggestion) ? BY_SUGGESTION[suggestion] : undefined;
  return want && { want, reason: 'suggested', data: { suggestion } };
}

function targetByRules(params: DepthBreadthBalanceParams, run: Run): BalanceTarget {
  const breadth = breadthOf(run);
  const depth = depthOf(run);
  const want =
    breadth < params.low_breadth_threshold ? 'breadth' : depth < params.low_depth_threshold ? 'depth' : 'neither';
  return { want, reason: 'balance', data: { breadth, depth, want } };
}

/** The share of covered elements. Above 1 if more elements were seen than the concept has. */
function breadthOf({ context }: Run): number {
  const { covered, total } = coverageOf(context);
  if (covered > 0) return total > 0 ? covered / total : 0;
  const types = [...conceptGraphFacts(context).nodesByType.values()].filter((count) => count > 0).length;
  return Math.min(1, types / EXPECTED_TYPES);
}

/** The depth: the mean length of a chain if it is known, otherwise the mean degree of a node, at most 5. */
function depthOf({ context, signals }: Run): number {
  const chains = mapAt(context, 'chain_depth', 'context') ?? mapAt(signals, 'chain_depth', 'signals');
  const mean = numberAt(chains, 'avg_chain_length', 'chain_depth');
  if (mean !== undefined) return mean;
  const { nodeCount, edgeCount } = conceptGraphFacts(context);
  return nodeCount === 0 ? 0 : Math.min(MAX_DEPTH, (2 * edgeCount) / nodeCount);
}
