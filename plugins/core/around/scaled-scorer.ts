import {
  abstain,
  type BatchScorer,
  child,
  defineScorer,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../../src/sdk.js';
import { fitScale, scaleFormula, scaleParam, scaleReasons, scaleScope } from './scales.js';
import { scoreColumn } from './score-column.js';

type Params = ParamsOf<typeof ScaledScorer>;

/**
 * Brings another scorer's scores to a comparable scale. By default they are stretched over the batch:
 * `(raw − min) / (max − min)`, and exactly 0.5 where all are equal.
 *
 * That is Cupel's Scaled: NaN is left out of the extrema, and a raw score that is not finite scores 0.5; where another
 * candidate's is +∞ every finite one scores 0, where it is −∞ they have no score (NaN).
 */
export class ScaledScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Brings another scorer to a scale: by the batch’s extremes, places or spread, or by a fixed curve.',
    reads: 'params',
    params: z.strictObject({
      scorer: child().describe('The scorer to bring to scale.'),
      scale: scaleParam().describe('How: min_max, max, z_score, rank, log, logistic or bounds.'),
    }),
    scope: ({ scale }) => scaleScope(scale),
    range: ({ scale: { type } }) =>
      type === 'max' || type === 'z_score' ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [0, 1],
    formula: ({ scorer, scale }, parts) => scaleFormula(scale, scorer, parts),
    reasons: {
      ...scaleReasons,
      not_finite: '{raw} is not a finite number',
      absent: 'the inner scorer does not apply',
    },
  });

  prepare({ scorer, scale }: Params, run: Run): Score<unknown> {
    const inner = run.child(scorer);
    const column = scoreColumn(inner, run.candidates);
    const scaled = fitScale(scale, column);
    return (candidate, index, note) => {
      const stored = column[index] ?? Number.NaN;
      // NaN is computed again: the inner scorer abstains, fails or gives NaN as it did for the column.
      const raw = note === undefined && !Number.isNaN(stored) ? stored : inner(candidate, index, note);
      if (raw === undefined) return abstain(note, 'absent');
      if (Number.isFinite(raw)) return scaled(raw, index, note);
      note?.('not_finite', { raw });
      return 0.5;
    };
  }
}
