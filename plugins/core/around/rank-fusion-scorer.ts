import {
  abstain,
  type BatchScorer,
  children,
  defineScorer,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../../src/sdk.js';
import { fractionalRanks, scoreColumn } from './score-column.js';

type Params = ParamsOf<typeof RankFusionScorer>;

/**
 * Blends other scorers by ranks alone, whatever their scales: `Σ weight / (k + rank)`, reciprocal rank fusion (Cormack,
 * Clarke and Büttcher 2009). Equal scores share the mean of their ranks. A scorer that abstains on a candidate adds
 * nothing for it, as a list without it would; where all abstain, the fusion abstains.
 */
export class RankFusionScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Blends other scorers by their places (reciprocal rank fusion).',
    reads: 'params',
    params: z.strictObject({
      scorers: children().describe('The scorers, each with a weight (1 when not said).'),
      k: z.number().nonnegative().default(60).describe('More makes the first places count less above the next.'),
    }),
    scope: 'set',
    reasons: {
      fused: 'places {places}',
      absent: 'none of {scorers} scorers applies',
    },
  });

  prepare({ scorers, k }: Params, run: Run): Score<unknown> {
    const parts = scorers.map((scorer) => {
      const inner = run.child(scorer);
      return { inner, ranks: fractionalRanks(scoreColumn(inner, run.candidates)), weight: scorer.weight };
    });
    return (candidate, index, note) => {
      let sum = 0;
      const places: number[] = [];
      for (const { inner, ranks, weight } of parts) {
        const rank = ranks[index] ?? Number.NaN;
        // Scored again without a rank, so that a failure is this candidate's own, and otherwise only for its reasons.
        if ((note !== undefined || Number.isNaN(rank)) && inner(candidate, index, note) === undefined) continue;
        sum += weight / (k + rank);
        places.push(rank);
      }
      if (places.length === 0) return abstain(note, 'absent', { scorers: parts.length });
      note?.('fused', { places });
      return sum;
    };
  }
}
