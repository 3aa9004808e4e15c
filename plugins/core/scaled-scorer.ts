import {
  abstain,
  type BatchScope,
  type BatchScorer,
  type Child,
  child,
  defineScorer,
  type FormulaParts,
  type Live,
  type Note,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';

/** The param that sets how raw scores become comparable: by the whole batch, or by a fixed curve. */
const scaleParam = () =>
  z
    .discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('min_max'),
        min_spread: z
          .number()
          .nonnegative()
          .default(0)
          .describe(
            'If the scores of a batch differ by less than this, they are scaled as if they differed by this, centred on 0.5.',
          ),
      }),
      z.strictObject({ type: z.literal('max') }),
      z.strictObject({ type: z.literal('z_score') }),
      z.strictObject({ type: z.literal('rank') }),
      z.strictObject({
        type: z.literal('log'),
        full: z.number().positive().describe('The raw score from which the result is 1.'),
      }),
      z.strictObject({
        type: z.literal('logistic'),
        midpoint: z.number().default(0).describe('The raw score that becomes 0.5.'),
        slope: z.number().default(1).describe('The slope there; negative for a falling curve.'),
      }),
      z
        .strictObject({
          type: z.literal('bounds'),
          min: z.number().describe('The raw score up to which the result is 0.'),
          max: z.number().describe('The raw score from which the result is 1.'),
        })
        .refine(({ min, max }) => min < max, { path: ['min'], message: 'expected min below max' }),
    ])
    .prefault({ type: 'min_max' });

type Scale = z.output<ReturnType<typeof scaleParam>>;

/** `candidate` for a scale that maps each raw score independently, `set` for a scale that needs the whole batch. */
const scaleScope = ({ type }: Scale): BatchScope =>
  type === 'log' || type === 'logistic' || type === 'bounds' ? 'candidate' : 'set';

/** A scale fitted to a batch. It maps the raw score of the candidate at an index. */
type FittedScale = (raw: number, index: number, note?: Note) => number;

/** The reasons that fitted scales note. */
const scaleReasons = {
  scaled: '{raw} between {min} and {max}',
  alike: '{raw}, as all candidates',
  of_most: '{raw} of at most {max}',
  deviates: '{raw}, where the mean is {mean} and the standard deviation {deviation}',
  placed: '{raw}, in place {place} of {count}',
  curved: '{raw}',
} as const;

/** Fits a scale to the raw scores of a batch, in which NaN means absent. */
function fitScale(scale: Scale, column: Float64Array): FittedScale {
  switch (scale.type) {
    case 'min_max':
      return minMaxScale(column, scale.min_spread);
    case 'max':
      return maxScale(column);
    case 'z_score':
      return zScoreScale(column);
    case 'rank':
      return rankScale(column);
    case 'log':
      return curveScale((raw) => Math.min(1, Math.log2(1 + requireNonNegative(raw)) / Math.log2(1 + scale.full)));
    case 'logistic':
      return curveScale((raw) => 1 / (1 + Math.exp(-scale.slope * (raw - scale.midpoint))));
    default:
      return curveScale((raw) => Math.min(1, Math.max(0, (raw - scale.min) / (scale.max - scale.min))));
  }
}

function minMaxScale(column: Float64Array, minSpread: number): FittedScale {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const raw of column) {
    if (raw < min) min = raw;
    if (raw > max) max = raw;
  }
  const spread = max - min;
  return (raw, _index, note) => {
    if (max === min) {
      note?.('alike', { raw });
      return 0.5;
    }
    note?.('scaled', { raw, min, max });
    return spread >= minSpread ? (raw - min) / spread : 0.5 + (raw - (min + max) / 2) / minSpread;
  };
}

/** Divides by the greatest raw score. If that is not above 0, all scores are 0. */
function maxScale(column: Float64Array): FittedScale {
  const max = column.reduce((most, raw) => (raw > most ? raw : most), 0);
  return (raw, _index, note) => {
    note?.('of_most', { raw, max });
    return max === 0 ? 0 : raw / max;
  };
}

function zScoreScale(column: Float64Array): FittedScale {
  const raws = column.filter((raw) => Number.isFinite(raw)).sort(); // sorted: rounding must not depend on the order
  const least = raws[0] ?? 0; // sum the distances from it, so that the deviation of equal scores is exactly 0
  const mean = least + raws.reduce((sum, raw) => sum + (raw - least) / raws.length, 0);
  const deviation = Math.sqrt(raws.reduce((sum, raw) => sum + (raw - mean) ** 2 / raws.length, 0));
  return (raw, _index, note) => {
    note?.('deviates', { raw, mean, deviation });
    return deviation === 0 ? 0 : (raw - mean) / deviation;
  };
}

/** Maps ranks to 1 for the first and 0 for the last; 0.5 for a single candidate and for equal scores. */
function rankScale(column: Float64Array): FittedScale {
  const ranks = fractionalRanks(column);
  const count = column.reduce((sum, raw) => (Number.isNaN(raw) ? sum : sum + 1), 0);
  return (raw, index, note) => {
    const place = ranks[index] ?? Number.NaN;
    note?.('placed', { raw, place, count });
    return count === 1 ? 0.5 : (count - place) / (count - 1);
  };
}

const curveScale =
  (curve: (raw: number) => number): FittedScale =>
  (raw, _index, note) => {
    note?.('curved', { raw });
    return curve(raw);
  };

function requireNonNegative(raw: number): number {
  if (raw >= 0) return raw;
  throw new RangeError(`expected a score of at least 0 for a logarithmic scale, found ${raw}`);
}

/**
 * The scale as an expression of the raw score and its least and greatest value; undefined for a scale that needs more
 * of the batch.
 */
function scaleFormula(scale: Scale, scorer: Child, parts: FormulaParts): string | undefined {
  const { number } = parts;
  const raw = parts.child(scorer);
  switch (scale.type) {
    case 'min_max':
      return minMaxFormula(raw, parts.least(scorer), parts.greatest(scorer), number(scale.min_spread));
    case 'max': {
      const most = `max(0, ${parts.greatest(scorer)})`;
      return `${most} == 0 ? 0 * ${raw} : ${raw} / ${most}`;
    }
    case 'log':
      return `${raw} >= 0 ? min(1, log2(1 + ${raw}) / ${number(Math.log2(1 + scale.full))}) : 0 / 0`;
    case 'logistic':
      return `1 / (1 + exp(${number(-scale.slope)} * (${raw} - ${number(scale.midpoint)})))`;
    case 'bounds':
      return `min(1, max(0, (${raw} - ${number(scale.min)}) / ${number(scale.max - scale.min)}))`;
    default:
      return undefined;
  }
}

/** The term `0 * raw` makes the result absent if the score is absent. */
function minMaxFormula(raw: string, min: string, max: string, minSpread: string): string {
  const stretched = `(${raw} - ${min}) / (${max} - ${min})`;
  const centred = `0.5 + (${raw} - (${min} + ${max}) / 2) / ${minSpread}`;
  const scaled = Number(minSpread) === 0 ? stretched : `(${max} - ${min} >= ${minSpread} ? ${stretched} : ${centred})`;
  return `${max} == ${min} ? 0.5 + 0 * ${raw} : ${scaled}`;
}

type Params = ParamsOf<typeof ScaledScorer>;

/**
 * Maps another scorer's scores to a comparable scale. The default stretches them over the batch: `(raw − min) / (max −
 * min)`, and exactly 0.5 if all are equal.
 *
 * The default is Cupel's Scaled: NaN is ignored for the extremes, and a raw score that is not finite scores 0.5. If
 * another candidate scores +∞, every finite score becomes 0. If another one scores −∞, finite scores become NaN.
 */
export class ScaledScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Scales another scorer by the extremes, ranks or deviation of the batch, or by a fixed curve.',
    reads: 'params',
    params: z.strictObject({
      scorer: child().describe('The scorer to scale.'),
      scale: scaleParam().describe('The scale: min_max, max, z_score, rank, log, logistic or bounds.'),
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
    return scaledScore(fitScale(scale, column), (candidate, index, note) => {
      const stored = column[index] ?? Number.NaN;
      // For NaN, call the inner scorer again: it abstains, fails or returns NaN as it did for the column.
      return note === undefined && !Number.isNaN(stored) ? stored : inner(candidate, index, note);
    });
  }

  /** A fixed curve needs no batch. */
  alone({ scorer, scale }: Params, live: Live): Score<unknown> | undefined {
    if (scaleScope(scale) === 'set') return undefined;
    return scaledScore(fitScale(scale, new Float64Array()), live.child(scorer));
  }
}

const scaledScore =
  (scaled: FittedScale, inner: Score<unknown>): Score<unknown> =>
  (candidate, index, note) => {
    const raw = inner(candidate, index, note);
    if (raw === undefined) return abstain(note, 'absent');
    if (Number.isFinite(raw)) return scaled(raw, index, note);
    note?.('not_finite', { raw });
    return 0.5;
  };

/**
 * The scores of an inner scorer for the candidates of a batch. NaN if it abstains or fails; such a candidate is scored
 * again individually, so that the failure belongs to it.
 */
export function scoreColumn(inner: Score<unknown>, candidates: readonly unknown[]): Float64Array {
  const column = new Float64Array(candidates.length);
  for (let index = 0; index < column.length; index++) {
    try {
      column[index] = inner(candidates[index], index) ?? Number.NaN;
    } catch {
      column[index] = Number.NaN;
    }
  }
  return column;
}

/**
 * Ranks scores from 1 for the greatest. Equal scores share the mean of their ranks (fractional ranking), so that their
 * order has no effect. NaN stays NaN.
 */
export function fractionalRanks(column: Float64Array): Float64Array {
  const ranks = new Float64Array(column.length).fill(Number.NaN);
  const present = Array.from(column.keys()).filter((i) => !Number.isNaN(column[i]));
  const order = Int32Array.from(present).sort((a, b) => column[b]! - column[a]! || a - b);
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && column[order[end]!] === column[order[start]!]) end += 1;
    for (const i of order.subarray(start, end)) ranks[i] = (start + 1 + end) / 2;
  }
  return ranks;
}
