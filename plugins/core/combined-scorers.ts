import {
  abstain,
  child,
  children,
  defineScorer,
  isChild,
  type Live,
  type ParamsOf,
  type RowScorer,
  type Score,
  z,
} from '../../src/unit-sdk.js';

/** Runs even if another child is malformed, so that all problems of a profile are reported together. */
const weightedChildren = children().superRefine(
  (scorers, ctx) => {
    for (const [index, scorer] of scorers.entries()) {
      if (!isChild(scorer) || scorer.weight > 0) continue;
      ctx.addIssue({ code: 'custom', path: [index, 'weight'], message: 'expected a weight above 0' });
    }
  },
  { when: ({ value }) => Array.isArray(value) },
);

type CompositeParams = ParamsOf<typeof CompositeScorer>;

/**
 * Blends other scorers into their weighted mean: `Σ child × (weight / total)`, summed in order from 0.
 *
 * This is Cupel's Composite with the same order of operations, so that both agree to the last bit. If some children
 * abstain, the sum is divided by the remaining share of the weights. If all abstain, the composite abstains.
 */
export class CompositeScorer implements RowScorer<CompositeParams> {
  static readonly meta = defineScorer({
    summary: 'Blends other scorers into one, as their weighted mean.',
    reads: 'params',
    params: z.strictObject({
      scorers: weightedChildren.describe(
        'The scorers, each with a weight above 0 (default 1). Only the proportions matter.',
      ),
    }),
    formula: ({ scorers }, parts) => {
      const total = scorers.reduce((sum, { weight }) => sum + weight, 0);
      const sum = [
        '0',
        ...scorers.map((scorer) => `${parts.child(scorer)} * ${parts.number(scorer.weight / total)}`),
      ].join(' + ');
      return `${scorers.map((scorer) => `has(${parts.child(scorer)})`).join(' && ')} ? ${sum} : 0 / 0`;
    },
    reasons: {
      mean: 'weighted mean of {scorers} scorers',
      partial: 'weighted mean of the {present} of {scorers} scorers that apply',
      absent: 'none of {scorers} scorers applies',
    },
  });

  compile({ scorers }: CompositeParams, live: Live): Score<unknown> {
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
      // Not divided by the sum of the shares, which may differ from 1 by rounding. The reference does not divide either.
      note?.('mean', { scorers: parts.length });
      return sum;
    };
  }
}

const boostSchema = z.strictObject({
  scorer: child().describe('The scorer of the boost. Its score must be at least 0. If it abstains, nothing is added.'),
  curve: z
    .enum(['linear', 'log2'])
    .default('linear')
    .describe('linear: factor × score. log2: factor × log2(score + 1), with diminishing returns.'),
  factor: z.number().describe('The factor; a negative one subtracts.'),
  cap: z.number().nonnegative().optional().describe('The most that the boost may add or subtract.'),
});

type BoostedParams = ParamsOf<typeof BoostedScorer>;

/**
 * Adds boosts to another scorer's score, each up to its own cap: `base + Σ min(factor × curve(score), cap)`, clamped to
 * `min` and `max`. A boost whose scorer abstains adds nothing.
 */
export class BoostedScorer implements RowScorer<BoostedParams> {
  static readonly meta = defineScorer({
    summary: 'Adds boosts or penalties to the score of another scorer, each with its own cap.',
    reads: 'params',
    params: z
      .strictObject({
        base: child().describe('The scorer to boost. If it abstains, this scorer abstains.'),
        boosts: z.array(boostSchema).min(1).describe('The boosts, in order.'),
        min: z.number().optional().describe('The lower limit of the result.'),
        max: z.number().optional().describe('The upper limit of the result.'),
      })
      .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
        path: ['min'],
        message: 'expected min to be at most max',
      }),
    range: ({ min, max }) => [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY],
    formula: ({ base, boosts, min, max }, parts) => {
      const amounts = boosts.map(({ scorer, ...shape }) => boostFormula(shape, parts.child(scorer), parts.number));
      const sum = [parts.child(base), ...amounts].join(' + ');
      const raised = min === undefined ? sum : `max(${parts.number(min)}, ${sum})`;
      return max === undefined ? raised : `min(${parts.number(max)}, ${raised})`;
    },
    reasons: {
      boosted: '{base}, boosted by {boosts}',
      absent: 'there is nothing to boost',
    },
  });

  compile({ base, boosts, min, max }: BoostedParams, live: Live): Score<unknown> {
    const inner = live.child(base);
    const parts = boosts.map(({ scorer, ...shape }) => ({ score: live.child(scorer), shape }));
    const lower = min ?? Number.NEGATIVE_INFINITY;
    const upper = max ?? Number.POSITIVE_INFINITY;
    return (candidate, index, note) => {
      const start = inner(candidate, index, note);
      if (start === undefined) return abstain(note, 'absent');
      let sum = start;
      const added: number[] | undefined = note && [];
      for (const { score, shape } of parts) {
        const amount = boostAmount(shape, score(candidate, index, note));
        added?.push(amount);
        sum += amount;
      }
      note?.('boosted', { base: start, boosts: added });
      return Math.min(upper, Math.max(lower, sum));
    };
  }
}

/** The params of a boost besides its scorer. */
type BoostSettings = Omit<z.output<typeof boostSchema>, 'scorer'>;

/** The amount that a boost adds: `factor × curve(score)`, within ± its cap; 0 if its scorer abstains. */
function boostAmount(
  { curve, factor, cap = Number.POSITIVE_INFINITY }: BoostSettings,
  score: number | undefined,
): number {
  if (score === undefined) return 0;
  if (score < 0) throw new RangeError(`expected the score of a boost to be at least 0, found ${score}`);
  const amount = factor * (curve === 'log2' ? Math.log2(score + 1) : score);
  return Math.min(cap, Math.max(-cap, amount));
}

/** The amount as an expression of the score, with the same order of operations. */
function boostFormula({ curve, factor, cap }: BoostSettings, score: string, number: (value: number) => string): string {
  const amount = `${number(factor)} * ${curve === 'log2' ? `log2(${score} + 1)` : score}`;
  const capped = cap === undefined ? amount : `min(${number(cap)}, max(${number(-cap)}, ${amount}))`;
  return `(has(${score}) ? (${score} >= 0 ? ${capped} : 0 / 0) : 0)`;
}
