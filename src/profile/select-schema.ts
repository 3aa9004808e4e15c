import { z } from 'zod';
import { cel, use } from './entry-schemas.js';

const room = z.number().min(0);

/** What a run may spend. A call may bring its own target and maximum; what is kept back stays. */
export const budget = z
  .union([
    room,
    z.strictObject({
      target: room.optional().describe('What is filled; the maximum when not said.'),
      max: room.optional().describe('What everything together may cost; the target when not said.'),
      output_reserve: room.default(0).describe('Kept free of the maximum, for the answer.'),
      reserved_slots: z
        .record(z.string().min(1), room)
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
const selector = { ...use, class: z.string().min(1).describe('The selector class.') };

export const pack = z
  .strictObject({
    cost: cel.describe('What a candidate costs, such as candidate.tokens: a number of at least 0.'),
    budget: budget.optional(),
    overflow: z
      .literal(['throw', 'truncate', 'proceed'])
      .default('throw')
      .describe('Where what must be in costs more than the target: fail, keep what still fits, or keep everything.'),
    ...selector,
  })
  .describe('Fills a budget with the best that fits.');

export const place = z.strictObject(selector).describe('The order of what was selected.');

/** What becomes of the scored: in this order. */
export const select = z
  .strictObject({
    duplicates: cel.optional().describe('Of those for which this is equal, the best is kept.'),
    min_score: z.number().optional(),
    ties: z
      .array(cel)
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
    pack: pack.optional(),
    place: place.optional(),
  })
  .default({});
