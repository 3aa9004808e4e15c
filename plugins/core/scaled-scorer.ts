import {
  abstain,
  type BatchScorer,
  child,
  defineScorer,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../src/sdk.js';

type Params = ParamsOf<typeof ScaledScorer>;

/**
 * Another scorer, stretched over the batch: `(raw − min) / (max − min)`, and exactly 0.5 where all are alike.
 *
 * Cupel's Scaled. A raw score that is NaN is left out of the extrema, one that is not finite scores 0.5; where
 * another candidate's is +∞ every finite one scores 0, where it is −∞ they have no score (NaN).
 */
export class ScaledScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Stretches another scorer over the batch: 0 for its lowest score, 1 for its highest.',
    params: z.strictObject({ scorer: child().describe('The scorer to stretch.') }),
    scope: 'set',
    range: [0, 1],
    reasons: {
      scaled: '{raw} between {min} and {max}',
      alike: '{raw}, as all candidates',
      not_finite: '{raw} is not a finite number',
      absent: 'the inner scorer does not apply',
    },
  });

  prepare({ scorer }: Params, run: Run): Score<unknown> {
    const inner = run.child(scorer);
    const column = new Float64Array(run.candidates.length);
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (const [index, candidate] of run.candidates.entries()) {
      const raw = rawScore(inner, candidate, index);
      column[index] = raw;
      if (raw < min) min = raw;
      if (raw > max) max = raw;
    }
    return (candidate, index, note) => {
      const stored = column[index] ?? Number.NaN;
      // NaN stands for whatever was odd: asked again, the inner scorer abstains, fails or says NaN as it did before.
      const raw = note === undefined && !Number.isNaN(stored) ? stored : inner(candidate, index, note);
      if (raw === undefined) return abstain(note, 'absent');
      if (!Number.isFinite(raw)) {
        note?.('not_finite', { raw });
        return 0.5;
      }
      if (max === min) {
        note?.('alike', { raw });
        return 0.5;
      }
      note?.('scaled', { raw, min, max });
      return (raw - min) / (max - min);
    };
  }
}

/** A failure on one candidate is that candidate's own: it comes back when the candidate is scored. */
function rawScore(inner: Score<unknown>, candidate: unknown, index: number): number {
  try {
    return inner(candidate, index) ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}
