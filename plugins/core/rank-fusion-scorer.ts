import {
  abstain,
  type BatchScorer,
  children,
  defineScorer,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../src/sdk.js';
import { childColumn } from './child-column.js';
import { fractionalRanks } from './fractional-ranks.js';

type Params = ParamsOf<typeof RankFusionScorer>;

/**
 * Blends other scorers by their places alone, whatever their scales: `Σ weight / (k + place)`, reciprocal rank fusion
 * (Cormack, Clarke and Büttcher 2009). Equal scores share the mean of their places. A scorer that abstains on a
 * candidate adds nothing for it, as a list that doesn't have it; where all do, so does this.
 */
export class RankFusionScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Blends other scorers by their places (reciprocal rank fusion).',
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
      return { inner, places: fractionalRanks(childColumn(inner, run.candidates)), weight: scorer.weight };
    });
    return (candidate, index, note) => {
      let sum = 0;
      const found: number[] = [];
      for (const { inner, places, weight } of parts) {
        const place = places[index] ?? Number.NaN;
        // What was odd is asked again, so that a failure is this candidate's; the rest only for its reasons.
        if ((note !== undefined || Number.isNaN(place)) && inner(candidate, index, note) === undefined) continue;
        sum += weight / (k + place);
        found.push(place);
      }
      if (found.length === 0) return abstain(note, 'absent', { scorers: parts.length });
      note?.('fused', { places: found });
      return sum;
    };
  }
}
