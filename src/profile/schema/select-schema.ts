import * as z from 'zod';
import { celSchema, numberOrCel, useShape } from './entry-schemas.js';

const nonNegativeNumber = z.number().min(0);

/** The budget of a run. A call may give its own target and maximum; what is kept free stays as it is. */
export const budgetSchema = z
  .union([
    nonNegativeNumber,
    z.strictObject({
      target: nonNegativeNumber.optional().describe('The cost to fill up to; the maximum by default.'),
      max: nonNegativeNumber.optional().describe('The most that everything together may cost; the target by default.'),
      output_reserve: nonNegativeNumber.default(0).describe('Kept free of the maximum, for the answer.'),
      reserved_slots: z
        .record(z.string().min(1), nonNegativeNumber)
        .default({})
        .describe('Kept free of both, by name of what it is kept for.'),
      safety_margin: z
        .number()
        .min(0)
        .max(100)
        .default(0)
        .describe('The percentage of the rest that is kept free, because costs are estimates.'),
    }),
  ])
  .describe('One number is target and maximum. A call may give its own instead, and must when this has neither.');

/** The keys of a class that diversifies, packs or places. */
const selectorShape = { ...useShape, class: z.string().min(1).describe('The selector class.') };

export const packSchema = z
  .strictObject({
    cost: celSchema.describe('The cost of a candidate, such as candidate.tokens: a number of at least 0.'),
    budget: budgetSchema.optional(),
    overflow: z
      .literal(['throw', 'truncate', 'proceed'])
      .default('throw')
      .describe(
        'When the selection costs more than the target: fail, keep what still fits beside the pinned, or keep all.',
      ),
    ...selectorShape,
  })
  .describe('Fills a budget with the best candidates that fit.');

export const perSchema = z
  .strictObject({
    by: celSchema.describe(
      'What tells the group of a candidate, such as candidate.brand. Absent: of no group, and not limited.',
    ),
    top: z.number().int().min(1).describe('How many of a group are selected at most: the best.'),
  })
  .describe('At most so many of a group, whatever groups there are.');

export const diversifySchema = z
  .strictObject(selectorShape)
  .describe('Chooses the top by more than the score, such as by how unlike the chosen are.');

export const placeSchema = z.strictObject(selectorShape).describe('The order of the selected candidates.');

/** The steps of selection, in the order in which they apply. */
export const selectSchema = z
  .strictObject({
    duplicates: celSchema.optional().describe('Of candidates for which this is equal, the best is kept.'),
    min_score: numberOrCel
      .optional()
      .describe('The least score that is selected: a number, or CEL on the context, evaluated once a run.'),
    per: perSchema.optional(),
    ties: z
      .array(celSchema)
      .min(1)
      .optional()
      .describe('Expressions that order equal scores, lowest first; `input` is the position.'),
    top: z
      .union([z.number().int().min(0), celSchema])
      .optional()
      .describe('How many are selected at most: a number, or CEL on the context, evaluated once a run.'),
    diversify: diversifySchema.optional(),
    prune: z
      .boolean()
      .optional()
      .describe(
        'With top: candidates that cannot be selected skip the expensive scorers; the selection stays the same. true: warn when that is not possible; false: run every scorer on every candidate.',
      ),
    pack: packSchema.optional(),
    place: placeSchema.optional(),
  })
  .default({});
