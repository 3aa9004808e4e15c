import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { conceptGraphFacts } from '../turn/concept-graph.js';
import { coverageOf } from '../turn/coverage.js';
import { flagAt, mapAt, numberAt, textAt } from '../turn/field-readers.js';
import { isWidening, readMove } from '../turn/interview-move.js';
import { languageModelSignal } from '../turn/language-model-signal.js';
import { ignoredParam, useSignalsParam } from '../turn/params.js';

/** As many types of nodes as there usually are: what breadth is guessed from where nothing else is known. */
const EXPECTED_TYPES = 5;
const MAX_DEPTH = 5;

/** What is wanted, and how a reason says why. */
interface BalanceTarget {
  readonly want: 'breadth' | 'depth' | 'neither';
  readonly reason: 'contradiction' | 'suggested' | 'balance';
  readonly data: Readonly<Record<string, unknown>>;
}

/** What going deeper, widening and everything else are worth. */
const TARGET_SCORES = {
  breadth: { depth: 0.7, wide: 1.5, other: 0.9 },
  depth: { depth: 1.5, wide: 0.7, other: 0.9 },
  neither: { depth: 1.1, wide: 1.1, other: 1.1 },
} as const;

type Params = ParamsOf<typeof DepthBreadthBalanceScorer>;

/**
 * Favours breadth while little was covered, else depth while little was explored. A language model's reading of how
 * abstract the answers are, where there is one, says which of the two; a contradiction in them asks for depth.
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
    const { want, reason, data } = targetByReading(params, run) ?? targetByRules(params, run);
    const worth = TARGET_SCORES[want];
    return (candidate, _index, note) => {
      const move = readMove(candidate);
      note?.(reason, data);
      return move.category === 'depth' ? worth.depth : isWidening(move) ? worth.wide : worth.other;
    };
  }
}

const BY_SUGGESTION: Readonly<Record<string, BalanceTarget['want']>> = {
  deepen: 'depth',
  broaden: 'breadth',
  stay: 'neither',
};

function targetByReading(params: Params, { signals }: Run): BalanceTarget | undefined {
  const contradiction = languageModelSignal(signals, 'contradiction', params);
  if (flagAt(contradiction, 'has_contradiction', 'signals.contradiction')) {
    return { want: 'depth', reason: 'contradiction', data: {} };
  }
  const reading = languageModelSignal(signals, 'concept_depth', params);
  const suggestion = textAt(reading, 'suggestion', 'signals.concept_depth') ?? '';
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

/** How much was covered: not capped, because more may have been seen than the concept has. */
function breadthOf({ context }: Run): number {
  const { covered, total } = coverageOf(context);
  if (covered > 0) return total > 0 ? covered / total : 0;
  const types = [...conceptGraphFacts(context).nodesByType.values()].filter((count) => count > 0).length;
  return Math.min(1, types / EXPECTED_TYPES);
}

/** How deep it goes: the mean length of a chain where it is known, else twice the edges that a node has. */
function depthOf({ context, signals }: Run): number {
  const chains = mapAt(context, 'chain_depth', 'context') ?? mapAt(signals, 'chain_depth', 'signals');
  const mean = numberAt(chains, 'avg_chain_length', 'chain_depth');
  if (mean !== undefined) return mean;
  const { nodeCount, edgeCount } = conceptGraphFacts(context);
  return nodeCount === 0 ? 0 : Math.min(MAX_DEPTH, (2 * edgeCount) / nodeCount);
}
