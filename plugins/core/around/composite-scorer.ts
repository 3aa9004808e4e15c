import {
  abstain,
  children,
  defineScorer,
  isChild,
  type Live,
  type ParamsOf,
  type RowScorer,
  type Score,
  z,
} from '../../../src/sdk.js';

/** Checked even where another child is malformed, so that all problems of a profile are reported together. */
const weightedChildren = children().superRefine(
  (scorers, ctx) => {
    for (const [index, scorer] of scorers.entries()) {
      if (!isChild(scorer) || scorer.weight > 0) continue;
      ctx.addIssue({ code: 'custom', path: [index, 'weight'], message: 'expected a weight above 0' });
    }
  },
  { when: ({ value }) => Array.isArray(value) },
);

type Params = ParamsOf<typeof CompositeScorer>;

/**
 * Blends other scorers into their weighted mean: `Σ child × (weight / total)`, summed in order from 0.
 *
 * Cupel's Composite, operation by operation, so that both agree to the last bit. Where children abstain, the sum is
 * divided by the share of the others; where all do, the composite abstains.
 */
export class CompositeScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Blends other scorers into one, as their weighted mean.',
    reads: 'params',
    params: z.strictObject({
      scorers: weightedChildren.describe(
        'The scorers, each with a weight above 0 (1 when not said); only their proportion counts.',
      ),
    }),
    formula: ({ scorers }, { child, number }) => {
      const total = scorers.reduce((sum, { weight }) => sum + weight, 0);
      const sum = ['0', ...scorers.map((scorer) => `${child(scorer)} * ${number(scorer.weight / total)}`)].join(' + ');
      return `${scorers.map((scorer) => `has(${child(scorer)})`).join(' && ')} ? ${sum} : 0 / 0`;
    },
    reasons: {
      mean: 'weighted mean of {scorers} scorers',
      partial: 'weighted mean of the {present} of {scorers} scorers that apply',
      absent: 'none of {scorers} scorers applies',
    },
  });

  compile({ scorers }: Params, live: Live): Score<unknown> {
    const total = scorers.reduce((sum, { weight }) => sum + weight, 0);
    const parts = scorers.map((scorer) => ({ score: live.child(scorer), share: scorer.weight / total }));
    return (candidate, index, note) => {
      let sum = 0;
      let shares = 0;
      let present = 0;
      for (const { score, share } of parts) {
        const value = score(candidate, index, note);
        if (value === undefined) continue;
        sum += value * share;
        shares += share;
        present += 1;
      }
      if (present === 0) return abstain(note, 'absent', { scorers: parts.length });
      if (present < parts.length) {
        note?.('partial', { present, scorers: parts.length });
        return sum / shares;
      }
      // Not divided: the shares of all may sum to a hair off 1, and the reference does not divide either.
      note?.('mean', { scorers: parts.length });
      return sum;
    };
  }
}
