import {
  abstain,
  child,
  defineScorer,
  type Live,
  type ParamsOf,
  type RowScorer,
  type Score,
  z,
} from '../../../src/sdk.js';

const boostSchema = z.strictObject({
  scorer: child().describe('What boosts: a score of at least 0; where it abstains there is no boost.'),
  curve: z
    .enum(['linear', 'log2'])
    .default('linear')
    .describe('linear: factor × score; log2: factor × log2(score + 1), of which each further one adds less.'),
  factor: z.number().describe('Negative: it takes away.'),
  cap: z.number().nonnegative().optional().describe('The most that it may add, or take away.'),
});

type Params = ParamsOf<typeof BoostedScorer>;

/**
 * Adds boosts to another scorer's score, each up to its own cap: `base + Σ min(factor × curve(score), cap)`, clamped to
 * `min` and `max`. A boost whose scorer abstains adds nothing.
 */
export class BoostedScorer implements RowScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Another scorer with boosts or penalties upon it, each with its own cap.',
    reads: 'params',
    params: z
      .strictObject({
        base: child().describe('What is boosted; where it abstains, so does this.'),
        boosts: z.array(boostSchema).min(1).describe('What boosts it, in order.'),
        min: z.number().optional().describe('The result is at least this.'),
        max: z.number().optional().describe('The result is at most this.'),
      })
      .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
        path: ['min'],
        message: 'expected min to be at most max',
      }),
    range: ({ min, max }) => [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY],
    reasons: {
      boosted: '{base}, boosted by {boosts}',
      absent: 'there is nothing to boost',
    },
  });

  compile({ base, boosts, min, max }: Params, live: Live): Score<unknown> {
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
type BoostSettings = Omit<Params['boosts'][number], 'scorer'>;

/** The amount that a boost adds: `factor × curve(score)` within ± its cap; 0 where its scorer abstains. */
function boostAmount(
  { curve, factor, cap = Number.POSITIVE_INFINITY }: BoostSettings,
  score: number | undefined,
): number {
  if (score === undefined) return 0;
  if (score < 0) throw new RangeError(`a boost is of at least 0, and found ${score}`);
  const amount = factor * (curve === 'log2' ? Math.log2(score + 1) : score);
  return Math.min(cap, Math.max(-cap, amount));
}
