import { type BatchScope, z } from '../../src/unit-sdk.js';
import { tiesParam } from './rank-fusion-scorer.js';

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
export const scaleParam = () =>
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
export const boundOf = (bound: z.output<typeof boundParam> | undefined) =>
  bound?.mode === 'ignore' ? undefined : bound;

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

export type Scale = z.output<ReturnType<typeof scaleParam>>;

export interface Results {
  readonly equal?: number | undefined;
  readonly reverse: boolean;
  readonly integer?: number | undefined;
  readonly floor?: number | undefined;
}

/**
 * `candidate` for a scale that maps each raw score independently, `set` for a scale that needs the whole batch,
 * `sequence` if it also needs its order.
 */
export function scaleScope(scale: Scale): BatchScope {
  const { type } = scale;
  if (type === 'rank' && scale.ties === 'order') return 'sequence';
  return type === 'log' || type === 'logistic' || type === 'bounds' ? 'candidate' : 'set';
}

/** The bounds of the results. Those of `max` and `l2` depend on the sign of the raw scores. */
export function scaleRange(scale: Scale): readonly [number, number] {
  const { type } = scale;
  if (type === 'min_max' || (type === 'max' && scale.integer !== undefined))
    return [scale.floor ?? 0, scale.integer ?? 1];
  if (type === 'l2') return [scale.floor ?? -1, 1];
  if (type === 'max' || type === 'z_score') return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [0, 1];
}

export type MinMax = Extract<Scale, { type: 'min_max' }>;

/** The middle of a scale, the result of a score about which the batch says nothing. */
export const middleOf = ({ integer }: Pick<Results, 'integer'>): number =>
  integer === undefined ? 0.5 : Math.floor(integer / 2);
