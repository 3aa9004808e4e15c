import { type BatchScorer, defineScorer, type ParamsOf, type Run, type Score, z } from '../../../src/sdk.js';
import { type ConceptElement, coverageOf } from '../turn/coverage.js';
import { readMove } from '../turn/interview-move.js';
import { fractionParam, ignoredParam } from '../turn/params.js';
import { clampScore } from './clamp-score.js';

/** The score of a move that closes no gap. */
const NO_GAP_SCORE = 0.85;

type Params = ParamsOf<typeof CoverageGapScorer>;

/** Favours moves that close a gap: an element not covered, or not in depth. A coverage move always closes one. */
export class CoverageGapScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours elements that were not spoken of; 0.85 for what closes no gap.',
    params: z.strictObject({
      boost_per_gap: z.number().default(0.15).describe('What each gap adds to 1.'),
      depth_threshold: fractionParam(0.5, 'A covered element below this depth is a gap, where depth is known.'),
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

  prepare({ boost_per_gap: boost, depth_threshold: deep }: Params, { context }: Run): Score<unknown> {
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
