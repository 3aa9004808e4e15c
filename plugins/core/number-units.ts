import {
  abstain,
  defineScorer,
  defineVeto,
  duration,
  type Live,
  type Note,
  type ParamsOf,
  path,
  type PathReader,
  readBoolean,
  readFinite,
  type RowScorer,
  type RowVeto,
  type Score,
  type TimeFormat,
  timeFormat,
  toMillis,
  z,
} from '../../src/unit-sdk.js';

type ThresholdVetoParams = ParamsOf<typeof ThresholdVeto>;

/** Refuses candidates with a number below `min` or above `max`. The limits themselves are accepted. */
export class ThresholdVeto implements RowVeto<ThresholdVetoParams> {
  static readonly meta = defineVeto({
    summary: 'Refuses candidates with a number below a minimum or above a maximum.',
    reads: 'params',
    params: z
      .strictObject({
        value: path().describe('The path to the number.'),
        min: z.number().optional().describe('The minimum. Set min, max or both.'),
        max: z.number().optional().describe('The maximum.'),
      })
      .refine(({ min, max }) => min !== undefined || max !== undefined, 'expected min, max or both')
      .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
        path: ['min'],
        message: 'expected min to be at most max',
      }),
    formula: ({ value, min, max }, parts) => {
      const tests = [
        ...(min === undefined ? [] : [`${parts.path(value)} < ${parts.number(min)}`]),
        ...(max === undefined ? [] : [`${parts.path(value)} > ${parts.number(max)}`]),
      ];
      return tests.join(' || ');
    },
    reasons: {
      below: '{value} is below {min}',
      above: '{value} is above {max}',
      within: '{value} is within the limits',
      absent: '{field} is absent',
    },
  });

  compile({ value, min, max }: ThresholdVetoParams): Score<unknown, boolean> {
    return (candidate, _index, note) => {
      const found = readFinite(value, candidate);
      if (found === undefined) return abstain(note, 'absent', { field: value.source });
      if (min !== undefined && found < min) {
        note?.('below', { value: found, min });
        return true;
      }
      if (max !== undefined && found > max) {
        note?.('above', { value: found, max });
        return true;
      }
      note?.('within', { value: found });
      return false;
    };
  }
}

type OutcomeParams = ParamsOf<typeof OutcomeScorer>;

/**
 * Scores a value such as a confidence, reduced after a failure: `value × (success ? 1 : failure_factor)`. This is
 * KnowledgePulse's Outcome Confidence (O). The value should be between 0 and 1. It is not clamped: the entry's
 * `out_of_range` applies to values outside.
 */
export class OutcomeScorer implements RowScorer<OutcomeParams> {
  static readonly meta = defineScorer({
    summary: 'Favours a high value, such as a confidence, and reduces it after a failure.',
    reads: 'params',
    params: z.strictObject({
      value: path().describe('The path to a number from 0 to 1.'),
      success: path().describe('The path to true or false.'),
      failure_factor: z
        .number()
        .min(0)
        .max(1)
        .default(0.3)
        .describe('The value is multiplied by this after a failure.'),
    }),
    range: [0, 1],
    formula: ({ value, success, failure_factor }, parts) =>
      `${parts.path(value)} * (${parts.path(success)} ? 1 : ${parts.number(failure_factor)})`,
    reasons: {
      succeeded: '{value}, and it succeeded',
      failed: '{value}, but it failed: × {failure_factor}',
      absent: '{field} is absent',
    },
  });

  compile({ value, success, failure_factor }: OutcomeParams): Score<unknown> {
    return (candidate, _index, note) => {
      const claimed = readFinite(value, candidate);
      if (claimed === undefined) return abstain(note, 'absent', { field: value.source });
      const succeeded = readBoolean(success, candidate);
      if (succeeded === undefined) return abstain(note, 'absent', { field: success.source });
      if (succeeded) note?.('succeeded', { value: claimed });
      else note?.('failed', { value: claimed, failure_factor });
      return claimed * (succeeded ? 1 : failure_factor);
    };
  }
}

const maxAge = duration().refine((ms) => ms > 0, 'expected a duration above 0');

const curves = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('exponential'),
    half_life: duration()
      .refine((ms) => ms >= 1, 'expected a duration of at least 1ms')
      .describe('The age at which the score is 0.5, in whole milliseconds.'),
  }),
  z.strictObject({
    type: z.literal(['linear', 'gaussian']),
    scale: maxAge.describe('The distance from the offset at which the score is `decay`.'),
    offset: duration(0).describe('The age up to which the score is 1.'),
    decay: z.number().gt(0).lt(1).default(0.5).describe('The score at the age of offset + scale.'),
  }),
  z.strictObject({ type: z.literal('window'), max_age: maxAge.describe('The age from which the score is 0.') }),
  z.strictObject({
    type: z.literal('step'),
    windows: z
      .array(z.strictObject({ max_age: maxAge, score: z.number() }))
      .min(1)
      .describe(
        'The first window whose max_age exceeds the age sets the score; for older candidates the last window does.',
      ),
  }),
]);
type Curve = z.output<typeof curves>;

type DecayParams = ParamsOf<typeof DecayScorer>;

/**
 * Scores how recent a candidate is, by its age: `age = max(0, now − time)`, so that a future time has age 0. The curves
 * are Cupel's Decay (exponential `2^(−age / half_life)` over whole milliseconds, a window, or steps), and the linear
 * and Gaussian decay of search engines (`scale`, `offset` and `decay`).
 */
export class DecayScorer implements RowScorer<DecayParams> {
  static readonly meta = defineScorer({
    summary: 'Favours recent candidates: half-life, linear, Gaussian, window or steps.',
    reads: 'params',
    params: z.strictObject({
      field: path('timestamp').describe('The path to a time: milliseconds since 1970, ISO 8601 or a Date.'),
      format: timeFormat()
        .optional()
        .describe('The format of the time if it is a text that is not ISO 8601, such as yyyy/MM/dd HH:mm.'),
      curve: curves.describe('How the score decreases with age.'),
      null_timestamp_score: z
        .union([z.number().min(0).max(1), z.literal('abstain')])
        .default(0.5)
        .describe('The score of a candidate without a time, or `abstain`: then the entry’s on_absent applies.'),
    }),
    range: ({ curve, null_timestamp_score }) => {
      if (curve.type !== 'step') return [0, 1];
      const scores = curve.windows.map(({ score }) => score);
      if (null_timestamp_score !== 'abstain') scores.push(null_timestamp_score);
      return [Math.min(...scores), Math.max(...scores)];
    },
    formula: ({ field, format, curve, null_timestamp_score }, parts) => {
      const at = parts.path(field);
      const time = format === undefined ? `timestamp(${at})` : `date(${at}, ${JSON.stringify(format.source)})`;
      const score = `(${curveFormula(curve, `max(0, now - ${time})`, parts.number)})`;
      if (null_timestamp_score === 'abstain') return score;
      return `has(${at}) ? ${score} : ${parts.number(null_timestamp_score)}`;
    },
    reasons: {
      aged: '{age:duration} old, half-life {half_life:duration}',
      falling: '{age:duration} old, {decay} at {reach:duration}',
      inside: '{age:duration} old, within {max_age:duration}',
      outside: '{age:duration} old, not within {max_age:duration}',
      oldest: '{age:duration} old, not within any window',
      undated: '{field} is absent',
    },
  });

  compile({ field: written, format, curve, null_timestamp_score }: DecayParams, live: Live): Score<unknown> {
    const field = format === undefined ? written : readsFormat(written, format);
    const undated = (note: Note | undefined): number | undefined => {
      const nothing = abstain(note, 'undated', { field: written.source });
      return null_timestamp_score === 'abstain' ? nothing : null_timestamp_score;
    };
    if (curve.type === 'exponential') return exponentialDecay(field, curve.half_life, undated, live);
    const scoreAt =
      curve.type === 'window' ? windowCurve(curve) : curve.type === 'step' ? stepCurve(curve) : fallingCurve(curve);
    return (candidate, _index, note) => {
      const at = field(candidate);
      return at === undefined ? undated(note) : scoreAt(Math.max(0, live.now() - toMillis(at)), note);
    };
  }
}

/** The value at a path: a time, or undefined if it is absent. */
type ReadTime = (candidate: unknown) => unknown;

/** Parses a text in a format as a time in milliseconds. */
const readsFormat =
  (field: PathReader, format: TimeFormat): ReadTime =>
  (candidate) => {
    const text = field(candidate);
    return text === undefined ? undefined : format.parse(text);
  };

type ScoreUndated = (note: Note | undefined) => number | undefined;
type AgeCurve = (age: number, note?: Note) => number;

/** `2 ** -(age / half_life)` over whole milliseconds, as in the reference. */
function exponentialDecay(field: ReadTime, halfLife: number, undated: ScoreUndated, live: Live): Score<unknown> {
  const half_life = Math.trunc(halfLife);
  return (candidate, _index, note) => {
    const at = field(candidate);
    if (at === undefined) return undated(note);
    const age = Math.max(0, live.now() - toMillis(at));
    note?.('aged', { age, half_life });
    return 2 ** -(Math.trunc(age) / half_life);
  };
}

/**
 * 1 up to the offset. Beyond it, with x as the age beyond the offset: `1 − (1 − decay) · x / scale`, at least 0, or
 * `decay^((x / scale)²)`. These are Elasticsearch's `linear` and `gauss`.
 */
function fallingCurve({ type, scale, offset, decay }: Extract<Curve, { type: 'linear' | 'gaussian' }>): AgeCurve {
  const reach = offset + scale;
  return (age, note) => {
    note?.('falling', { age, decay, reach });
    const scales = Math.max(0, age - offset) / scale;
    return type === 'linear' ? Math.max(0, 1 - (1 - decay) * scales) : decay ** (scales * scales);
  };
}

function windowCurve({ max_age }: Extract<Curve, { type: 'window' }>): AgeCurve {
  return (age, note) => {
    note?.(age < max_age ? 'inside' : 'outside', { age, max_age });
    return age < max_age ? 1 : 0;
  };
}

function stepCurve({ windows }: Extract<Curve, { type: 'step' }>): AgeCurve {
  const oldest = windows.at(-1)?.score ?? 0;
  return (age, note) => {
    for (const { max_age, score } of windows) {
      if (age >= max_age) continue;
      note?.('inside', { age, max_age });
      return score;
    }
    note?.('oldest', { age });
    return oldest;
  };
}

/** The score as an expression of the age. */
function curveFormula(curve: Curve, age: string, number: (value: number) => string): string {
  switch (curve.type) {
    case 'exponential':
      return `pow(2, -(int(${age}) / ${number(Math.trunc(curve.half_life))}))`;
    case 'window':
      return `${age} < ${number(curve.max_age)} ? 1 : 0`;
    case 'step': {
      const steps = curve.windows.map(({ max_age, score }) => `${age} < ${number(max_age)} ? ${number(score)} : `);
      return `${steps.join('')}${number(curve.windows.at(-1)?.score ?? 0)}`;
    }
    default: {
      const { type, scale, offset, decay } = curve;
      const scales = `max(0, ${age} - ${number(offset)}) / ${number(scale)}`;
      if (type === 'linear') return `max(0, 1 - ${number(1 - decay)} * (${scales}))`;
      return `pow(${number(decay)}, (${scales}) * (${scales}))`;
    }
  }
}
