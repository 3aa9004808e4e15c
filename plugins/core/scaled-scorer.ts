import {
  abstain,
  type BatchScorer,
  type Child,
  child,
  defineScorer,
  type FormulaParts,
  type GroupedRun,
  type GroupedScores,
  type Live,
  type Note,
  type ParamsOf,
  type Run,
  type Score,
  z,
} from '../../src/unit-sdk.js';
import { ranksOf, scoreColumn } from './rank-fusion-scorer.js';
import {
  boundOf,
  middleOf,
  type MinMax,
  type Results,
  type Scale,
  scaleParam,
  scaleRange,
  scaleScope,
} from './scale-params.js';

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

/** The result for a raw score that is not finite. */
const resultIfInfinite = (scale: Scale): number => ('integer' in scale ? middleOf(scale) : 0.5);

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

/** Fits a scale to each group of a column. */
type GroupFitter = (column: Float64Array, from: number, to: number) => FittedScale;

function groupFitter(scale: Scale): GroupFitter {
  if (scale.type !== 'min_max') return (column, from, to) => fitScale(scale, column.subarray(from, to));
  const scaleOf = minMaxScales(scale);
  return (column, from, to) => scaleOf(...extremesOf(column, from, to));
}

const minMaxScale = (column: Float64Array, scale: MinMax): FittedScale =>
  minMaxScales(scale)(...extremesOf(column, 0, column.length));

function minMaxScales(scale: MinMax): (min: number, max: number) => FittedScale {
  const { min_spread, equal = middleOf(scale) } = scale;
  const [lower, upper] = [boundOf(scale.lower), boundOf(scale.upper)];
  const finish = finisher(scale);
  return (min, max) => (raw, _index, note) => {
    const spread = max - min;
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
function extremesOf(column: Float64Array, from: number, to: number): readonly [min: number, max: number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let index = from; index < to; index++) {
    const raw = column[index]!;
    if (raw < min) min = raw;
    if (raw > max) max = raw;
  }
  return [min, max];
}

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
  const [least, most] = extremesOf(column, 0, column.length);
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

  /** Replaces the raw scores by the results, group by group. */
  prepareGroups({ scorer, scale }: Params, run: GroupedRun): GroupedScores {
    const inner = run.child(scorer);
    const known = run.column(scorer);
    const middle = resultIfInfinite(scale);
    const fit = groupFitter(scale);
    let from = 0;
    for (const to of run.ends) {
      const scaled = fit(known, from, to);
      for (let row = from; row < to; row++) {
        const raw = known[row]!;
        if (raw - raw === 0) known[row] = scaled(raw, row - from);
        else if (raw === raw) known[row] = middle;
      }
      from = to;
    }
    // The inner scorer abstained, failed or returned NaN, or the result is NaN.
    const score: Score<unknown> = (candidate, row) => {
      const result = known[row]!;
      if (!Number.isNaN(result)) return result;
      const raw = inner(candidate, row);
      return raw === undefined ? undefined : Number.isFinite(raw) ? Number.NaN : middle;
    };
    return { known, score };
  }

  /** A fixed curve needs no batch. */
  alone({ scorer, scale }: Params, live: Live): Score<unknown> | undefined {
    if (scaleScope(scale) !== 'candidate') return undefined;
    return scaledScore(scale, fitScale(scale, new Float64Array()), live.child(scorer));
  }
}

const scaledScore = (scale: Scale, scaled: FittedScale, inner: Score<unknown>): Score<unknown> => {
  const middle = resultIfInfinite(scale);
  return (candidate, index, note) => {
    const raw = inner(candidate, index, note);
    if (raw === undefined) return abstain(note, 'absent');
    if (Number.isFinite(raw)) return scaled(raw, index, note);
    note?.('not_finite', { raw });
    return middle;
  };
};
