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
import { ranksOf, scoreColumn, tiesParam } from './rank-fusion-scorer.js';

const floorParam = z.number().positive().describe('The least result. A lower one is raised to it.').optional();

const equalParam = z.number().describe('The result if all scores are equal, also of a single candidate.').optional();

/** The params of the results of a scale from 0 to 1. */
const resultParams = {
  reverse: z.boolean().default(false).describe('Turns the scale round: the least score has the greatest result.'),
  integer: z
    .int()
    .positive()
    .describe('The results are integers from 0 to this number: rounded down, before `reverse`.')
    .optional(),
  floor: floorParam,
};

const boundParam = z.strictObject({
  at: z.number().describe('The bound, as a raw score.'),
  mode: z
    .enum(['apply', 'clip', 'ignore'])
    .default('apply')
    .describe(
      'apply: replaces the extreme for scores within the bound; the others are scaled to the real extreme. clip: also cuts the others off. ignore: is not used.',
    ),
});

/** The param that sets how raw scores become comparable: by the whole batch, or by a fixed curve. */
const scaleParam = () =>
  z
    .discriminatedUnion('type', [
      z
        .strictObject({
          type: z.literal('min_max'),
          min_spread: z
            .number()
            .nonnegative()
            .default(0)
            .describe(
              'If the scores of a batch differ by less than this, they are scaled as if they differed by this, centred on 0.5.',
            ),
          lower: boundParam.optional().describe('A score that is used as the minimum.'),
          upper: boundParam.optional().describe('A score that is used as the maximum.'),
          equal: equalParam,
          ...resultParams,
        })
        .superRefine((scale, ctx) => {
          const { min_spread } = scale;
          const [lower, upper] = [boundOf(scale.lower), boundOf(scale.upper)];
          refuseResults(scale, ctx);
          if (min_spread > 0 && (lower || upper))
            refuse(ctx, 'min_spread', 'expected no min_spread together with lower or upper, which set the spread');
          if (lower && upper && lower.at >= upper.at) refuse(ctx, 'lower', 'expected lower.at below upper.at');
        }),
      z.strictObject({ type: z.literal('max'), ...resultParams }).superRefine((scale, ctx) => {
        refuseResults(scale, ctx);
      }),
      z.strictObject({
        type: z.literal('z_score'),
        deviation: z
          .enum(['population', 'sample'])
          .default('population')
          .describe('population: the mean of the squares is over n. sample: it is over n − 1.'),
        equal: equalParam,
        floor: floorParam,
      }),
      z.strictObject({ type: z.literal('l2'), floor: floorParam }),
      z.strictObject({
        type: z.literal('rank'),
        ties: tiesParam(),
        equal: equalParam,
      }),
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

/** A bound that is used. */
const boundOf = (bound: z.output<typeof boundParam> | undefined) => (bound?.mode === 'ignore' ? undefined : bound);

const refuse = (ctx: z.RefinementCtx, key: string, message: string): void =>
  ctx.addIssue({ code: 'custom', path: [key], message });

/** Reports results that the scale would leave. */
function refuseResults({ equal, integer, floor }: Results, ctx: z.RefinementCtx): void {
  const top = integer ?? 1;
  if (equal !== undefined && !(equal >= 0 && equal <= top))
    refuse(ctx, 'equal', `expected a number from 0 to ${top}, the ends of the scale`);
  if (floor !== undefined && floor >= top) refuse(ctx, 'floor', `expected a floor below ${top}, the end of the scale`);
  if (integer !== undefined && [equal, floor].some((value) => value !== undefined && !Number.isInteger(value)))
    refuse(ctx, 'integer', 'expected integers for equal and floor, as for the other results');
}

type Scale = z.output<ReturnType<typeof scaleParam>>;

interface Results {
  readonly equal?: number | undefined;
  readonly reverse: boolean;
  readonly integer?: number | undefined;
  readonly floor?: number | undefined;
}

/**
 * `candidate` for a scale that maps each raw score independently, `set` for a scale that needs the whole batch,
 * `sequence` if it also needs its order.
 */
function scaleScope(scale: Scale): BatchScope {
  const { type } = scale;
  if (type === 'rank' && scale.ties === 'order') return 'sequence';
  return type === 'log' || type === 'logistic' || type === 'bounds' ? 'candidate' : 'set';
}

/** The bounds of the results. Those of `max` and `l2` depend on the sign of the raw scores. */
function scaleRange(scale: Scale): readonly [number, number] {
  const { type } = scale;
  if (type === 'min_max' || (type === 'max' && scale.integer !== undefined))
    return [scale.floor ?? 0, scale.integer ?? 1];
  if (type === 'l2') return [scale.floor ?? -1, 1];
  if (type === 'max' || type === 'z_score') return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [0, 1];
}

/** A scale fitted to a batch. It maps the raw score of the candidate at an index. */
type FittedScale = (raw: number, index: number, note?: Note) => number;

/** The reasons that fitted scales note. */
const scaleReasons = {
  scaled: '{raw} between {min} and {max}',
  alike: '{raw}, as all candidates',
  of_most: '{raw} of at most {max}',
  normed: '{raw} of a vector of length {length}',
  deviates: '{raw}, where the mean is {mean} and the standard deviation {deviation}',
  placed: '{raw}, in place {place} of {count}',
  curved: '{raw}',
} as const;

/** Fits a scale to the raw scores of a batch, in which NaN means absent. */
function fitScale(scale: Scale, column: Float64Array): FittedScale {
  switch (scale.type) {
    case 'min_max':
      return minMaxScale(column, scale);
    case 'max':
      return maxScale(column, scale);
    case 'z_score':
      return zScoreScale(column, scale);
    case 'l2':
      return l2Scale(column, scale.floor);
    case 'rank':
      return rankScale(column, scale);
    case 'log':
      return curveScale((raw) => Math.min(1, Math.log2(1 + requireNonNegative(raw)) / Math.log2(1 + scale.full)));
    case 'logistic':
      return curveScale((raw) => 1 / (1 + Math.exp(-scale.slope * (raw - scale.midpoint))));
    default:
      return curveScale((raw) => Math.min(1, Math.max(0, (raw - scale.min) / (scale.max - scale.min))));
  }
}

type MinMax = Extract<Scale, { type: 'min_max' }>;

function minMaxScale(column: Float64Array, scale: MinMax): FittedScale {
  const { min_spread, equal = middleOf(scale) } = scale;
  const [lower, upper] = [boundOf(scale.lower), boundOf(scale.upper)];
  const [min, max] = extremesOf(column);
  const spread = max - min;
  const finish = finisher(scale);
  return (raw, _index, note) => {
    if (max === min) {
      note?.('alike', { raw });
      return equal;
    }
    // As in OpenSearch: a score at a bound is not within it, and a bound beyond all scores does not clip.
    const least = lower && (lower.mode === 'clip' ? max >= lower.at : raw > lower.at) ? lower.at : min;
    const most = upper && (upper.mode === 'clip' ? min <= upper.at : raw < upper.at) ? upper.at : max;
    note?.('scaled', { raw, min: least, max: most });
    if (raw < least) return finish(0, 1);
    if (raw > most) return finish(1, 1);
    if (least === most) return equal;
    if (spread >= min_spread) return finish(raw - least, most - least);
    return finish(0.5 + (raw - (min + max) / 2) / min_spread, 1);
  };
}

/** The extremes of the scores that are present. */
function extremesOf(column: Float64Array): readonly [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const raw of column) {
    if (raw < min) min = raw;
    if (raw > max) max = raw;
  }
  return [min, max];
}

/** The middle of a scale, the result of a score about which the batch says nothing. */
const middleOf = ({ integer }: Pick<Results, 'integer'>): number =>
  integer === undefined ? 0.5 : Math.floor(integer / 2);

/** Makes a result of a quotient. An integer scale multiplies before it divides, so that whole quotients are exact. */
function finisher({ integer, reverse, floor = Number.NEGATIVE_INFINITY }: Results) {
  const top = integer ?? 1;
  return (part: number, whole: number): number => {
    const forward = integer === undefined ? part / whole : Math.max(0, Math.floor((part * integer) / whole));
    return Math.max(floor, reverse ? top - forward : forward);
  };
}

/** Divides by the greatest raw score. If that is not above 0, all scores are 0. */
function maxScale(column: Float64Array, scale: Extract<Scale, { type: 'max' }>): FittedScale {
  const max = column.reduce((most, raw) => (raw > most ? raw : most), 0);
  const finish = finisher(scale);
  return (raw, _index, note) => {
    note?.('of_most', { raw, max });
    return max === 0 ? finish(0, 1) : finish(raw, max);
  };
}

function zScoreScale(
  column: Float64Array,
  { deviation: kind, equal = 0, floor = Number.NEGATIVE_INFINITY }: Extract<Scale, { type: 'z_score' }>,
): FittedScale {
  const raws = column.filter((raw) => Number.isFinite(raw)).sort(); // sorted: rounding must not depend on the order
  const least = raws[0] ?? 0; // sum the distances from it, so that the deviation of equal scores is exactly 0
  const mean = least + raws.reduce((sum, raw) => sum + (raw - least) / raws.length, 0);
  const count = kind === 'sample' ? Math.max(1, raws.length - 1) : raws.length;
  const deviation = Math.sqrt(raws.reduce((sum, raw) => sum + (raw - mean) ** 2 / count, 0));
  return (raw, _index, note) => {
    note?.('deviates', { raw, mean, deviation });
    return deviation === 0 ? equal : Math.max(floor, (raw - mean) / deviation);
  };
}

/** Divides by the Euclidean length of all raw scores. If that is 0, all scores are 0. */
function l2Scale(column: Float64Array, floor: number = Number.NEGATIVE_INFINITY): FittedScale {
  const raws = column.filter((raw) => Number.isFinite(raw)).sort(); // sorted: rounding must not depend on the order
  const length = Math.sqrt(raws.reduce((sum, raw) => sum + raw * raw, 0));
  return (raw, _index, note) => {
    note?.('normed', { raw, length });
    return Math.max(floor, length === 0 ? 0 : raw / length);
  };
}

/** Maps ranks to 1 for the first and 0 for the last; 0.5 for a single candidate and for equal scores. */
function rankScale(column: Float64Array, { ties, equal = 0.5 }: Extract<Scale, { type: 'rank' }>): FittedScale {
  const ranks = ranksOf(column, ties);
  const count = column.reduce((sum, raw) => (Number.isNaN(raw) ? sum : sum + 1), 0);
  const [least, most] = extremesOf(column);
  const isAlike = count === 1 || (least === most && ties === 'mean');
  return (raw, index, note) => {
    const place = ranks[index] ?? Number.NaN;
    note?.('placed', { raw, place, count });
    return isAlike ? equal : (count - place) / (count - 1);
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
 * The scale as an expression of the raw score and its statistics; undefined for a scale that needs the order of the batch.
 */
function scaleFormula(scale: Scale, scorer: Child, parts: FormulaParts): string | undefined {
  const { number } = parts;
  const raw = parts.child(scorer);
  switch (scale.type) {
    case 'min_max':
      return minMaxFormula(scale, raw, parts.least(scorer), parts.greatest(scorer), number);
    case 'max': {
      const most = `max(0, ${parts.greatest(scorer)})`;
      const none = finishedFormula(scale, `0 * ${raw}`, undefined, number);
      return `${most} == 0 ? ${none} : ${finishedFormula(scale, raw, most, number)}`;
    }
    case 'log':
      return `${raw} >= 0 ? min(1, log2(1 + ${raw}) / ${number(Math.log2(1 + scale.full))}) : 0 / 0`;
    case 'logistic':
      return `1 / (1 + exp(${number(-scale.slope)} * (${raw} - ${number(scale.midpoint)})))`;
    case 'bounds':
      return `min(1, max(0, (${raw} - ${number(scale.min)}) / ${number(scale.max - scale.min)}))`;
    case 'z_score': {
      const deviation = parts.statistic(scorer, scale.deviation === 'sample' ? 'sample_deviation' : 'deviation');
      const score = `(${raw} - ${parts.statistic(scorer, 'mean')}) / ${deviation}`;
      const floored = scale.floor === undefined ? score : `max(${number(scale.floor)}, ${score})`;
      // The deviation of equal scores may differ from 0 by rounding.
      const isAlike = `${parts.least(scorer)} == ${parts.greatest(scorer)}`;
      return `${isAlike} ? ${number(scale.equal ?? 0)} + 0 * ${raw} : ${floored}`;
    }
    case 'l2': {
      const length = parts.statistic(scorer, 'length');
      const score = `${length} == 0 ? 0 * ${raw} : ${raw} / ${length}`;
      return scale.floor === undefined ? score : `max(${number(scale.floor)}, ${score})`;
    }
    case 'rank': {
      if (scale.ties === 'order') return undefined;
      const [count, rank] = [parts.statistic(scorer, 'count'), parts.statistic(scorer, 'rank')];
      const equal = `${number(scale.equal ?? 0.5)} + 0 * ${raw}`;
      const isAlike = `${parts.least(scorer)} == ${parts.greatest(scorer)}`;
      return `${isAlike} ? ${equal} : (${count} - ${rank}) / (${count} - 1) + 0 * ${raw}`;
    }
    default:
      return undefined;
  }
}

type NumberText = FormulaParts['number'];

/** The expression of `finisher`. An undefined `whole` is 1. */
function finishedFormula(
  { integer, reverse, floor }: Results,
  part: string,
  whole: string | undefined,
  number: NumberText,
): string {
  const multiplied = integer === undefined ? part : `(${part}) * ${number(integer)}`;
  const quotient = whole === undefined ? multiplied : `${multiplied} / ${whole}`;
  const forward = integer === undefined ? quotient : `max(0, floor(${quotient}))`;
  const turned = reverse ? `${number(integer ?? 1)} - ${integer === undefined ? `(${forward})` : forward}` : forward;
  return floor === undefined ? turned : `max(${number(floor)}, ${turned})`;
}

/** The term `0 * raw` makes the result absent if the score is absent. */
function minMaxFormula(scale: MinMax, raw: string, min: string, max: string, number: NumberText): string {
  const { min_spread, equal = middleOf(scale) } = scale;
  const [lower, upper] = [boundOf(scale.lower), boundOf(scale.upper)];
  const alike = `${number(equal)} + 0 * ${raw}`;
  const at = (bound: MinMax['lower']): string => number(bound?.at ?? 0);
  const isAbove = lower?.mode === 'clip' ? `${max} >= ${at(lower)}` : `${raw} > ${at(lower)}`;
  const isBelow = upper?.mode === 'clip' ? `${min} <= ${at(upper)}` : `${raw} < ${at(upper)}`;
  const least = lower ? `(${isAbove} ? ${at(lower)} : ${min})` : min;
  const most = upper ? `(${isBelow} ? ${at(upper)} : ${max})` : max;
  const stretched = finishedFormula(scale, `(${raw} - ${least})`, `(${most} - ${least})`, number);
  if (lower || upper) {
    const ends = [finishedFormula(scale, '0', undefined, number), finishedFormula(scale, '1', undefined, number)];
    return `${max} == ${min} ? ${alike} : (${raw} < ${least} ? ${ends[0]} : (${raw} > ${most} ? ${ends[1]} : (${least} == ${most} ? ${alike} : ${stretched})))`;
  }
  const spread = number(min_spread);
  const middle = `0.5 + (${raw} - (${min} + ${max}) / 2) / ${spread}`;
  const centred = finishedFormula(scale, middle, undefined, number);
  const scaled = min_spread === 0 ? stretched : `(${max} - ${min} >= ${spread} ? ${stretched} : ${centred})`;
  return `${max} == ${min} ? ${alike} : ${scaled}`;
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
      scale: scaleParam().describe('The scale: min_max, max, z_score, l2, rank, log, logistic or bounds.'),
    }),
    scope: ({ scale }) => scaleScope(scale),
    range: ({ scale }) => scaleRange(scale),
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
    return scaledScore(scale, fitScale(scale, column), (candidate, index, note) => {
      const stored = column[index] ?? Number.NaN;
      // For NaN, call the inner scorer again: it abstains, fails or returns NaN as it did for the column.
      return note === undefined && !Number.isNaN(stored) ? stored : inner(candidate, index, note);
    });
  }

  /** A fixed curve needs no batch. */
  alone({ scorer, scale }: Params, live: Live): Score<unknown> | undefined {
    if (scaleScope(scale) !== 'candidate') return undefined;
    return scaledScore(scale, fitScale(scale, new Float64Array()), live.child(scorer));
  }
}

const scaledScore = (scale: Scale, scaled: FittedScale, inner: Score<unknown>): Score<unknown> => {
  const middle = 'integer' in scale ? middleOf(scale) : 0.5;
  return (candidate, index, note) => {
    const raw = inner(candidate, index, note);
    if (raw === undefined) return abstain(note, 'absent');
    if (Number.isFinite(raw)) return scaled(raw, index, note);
    note?.('not_finite', { raw });
    return middle;
  };
};
