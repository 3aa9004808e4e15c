import { z } from 'zod';
import { celSchema, useShape } from './entry-schemas.js';

const nonNegativeNumber = z.number().min(0);

/** What a run may spend. A call may bring its own target and maximum; what is kept back stays. */
export const budgetSchema = z
  .union([
    nonNegativeNumber,
    z.strictObject({
      target: nonNegativeNumber.optional().describe('What is filled; the maximum when not said.'),
      max: nonNegativeNumber.optional().describe('What everything together may cost; the target when not said.'),
      output_reserve: nonNegativeNumber.default(0).describe('Kept free of the maximum, for the answer.'),
      reserved_slots: z
        .record(z.string().min(1), nonNegativeNumber)
        .default({})
        .describe('Kept free of both, by what it is kept for.'),
      safety_margin: z
        .number()
        .min(0)
        .max(100)
        .default(0)
        .describe('A percentage that is kept free of what is left, because costs are estimates.'),
    }),
  ])
  .describe('One number is target and maximum. A call may give its own instead, and has to where this says neither.');

/** A class that packs or places. */
const selectorShape = { ...useShape, class: z.string().min(1).describe('The selector class.') };

export const packSchema = z
  .strictObject({
    cost: celSchema.describe('What a candidate costs, such as candidate.tokens: a number of at least 0.'),
    budget: budgetSchema.optional(),
    overflow: z
      .literal(['throw', 'truncate', 'proceed'])
      .default('throw')
      .describe('Where what must be in costs more than the target: fail, keep what still fits, or keep everything.'),
    ...selectorShape,
  })
  .describe('Fills a budget with the best that fits.');

export const placeSchema = z.strictObject(selectorShape).describe('The order of what was selected.');

/** What becomes of the scored: in this order. */
export const selectSchema = z
  .strictObject({
    duplicates: celSchema.optional().describe('Of those for which this is equal, the best is kept.'),
    min_score: z.number().optional(),
    ties: z
      .array(celSchema)
      .min(1)
      .optional()
      .describe('What decides between equal scores, lower first; `input` is the position.'),
    top: z.number().int().min(0).optional(),
    prune: z
      .boolean()
      .optional()
      .describe(
        'With top: who cannot be selected is spared the expensive scorers; nothing that is selected changes. true: warn where that cannot be; false: ask about everybody.',
      ),
    pack: packSchema.optional(),
    place: placeSchema.optional(),
  })
  .default({});
