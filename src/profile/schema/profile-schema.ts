import { z } from 'zod';
import {
  adjustmentSchema,
  celSchema,
  idSchema,
  measureSchema,
  reportSchema,
  rerankSchema,
  scorerSchema,
  signalSchema,
  strategySchema,
  vetoSchema,
} from './entry-schemas.js';
import { selectSchema } from './select-schema.js';

/** The types that a declared field of the context may have. */
export const CONTEXT_TYPES = ['int', 'number', 'string', 'bool', 'list', 'map', 'time'] as const;

const contextFieldSchema = z.strictObject({
  type: z
    .literal([...CONTEXT_TYPES])
    .optional()
    .describe('time: milliseconds, ISO 8601 or a Date.'),
  required: z.boolean().default(false),
  description: z.string().optional(),
});

/** One phase; its name is the key. */
export const phaseSchema = z.strictObject({
  n_turns: z.number().int().min(0).optional().describe('How many turns it lasts; the last phase is open-ended.'),
  when: celSchema.optional().describe('Where it is not true, the phase yields to the next.'),
});

const phaseProfilesSchema = z.record(idSchema, z.record(z.string(), z.number()));

/** How the row of raw scores becomes one number. */
export const COMBINE_METHODS = ['weighted_mean', 'weighted_sum', 'product', 'geometric_mean', 'min', 'max'] as const;

/** Everything a profile may say. One schema gives the check, the type and the editor's JSON Schema. */
export const profileSchema = z.strictObject({
  name: z.string().optional().describe('What results call it.'),
  description: z.string().optional().describe('One line on what it is for.'),
  extends: z.array(z.string().min(1)).default([]).describe('Presets and files that this one builds on, in order.'),
  plugins: z
    .array(z.string().min(1))
    .default([])
    .describe('Packs that ship, files (./my-scorers.ts) and npm packages.'),
  candidate: z
    .strictObject({
      id: z.string().min(1).optional().describe('The path of a candidate’s id; `id` when not said, else its position.'),
      pinned: celSchema.optional().describe('Which candidates are selected whatever they score.'),
    })
    .default({}),
  context: z.record(z.string(), contextFieldSchema).optional().describe('The context that the profile reads.'),
  phases: z.record(idSchema, phaseSchema).optional().describe('The signal `phase`, from context.turn_count.'),
  signals: z.array(signalSchema).default([]).describe('Values computed once a run.'),
  strategies: z.array(strategySchema).default([]).describe('What makes candidates when the caller brings none.'),
  veto_on_first: z.boolean().default(true).describe('false: keep asking, to report every reason.'),
  tier1_scorers: z.array(vetoSchema).default([]).describe('Vetoes, in order: a refusal is final.'),
  measures: z.array(measureSchema).default([]).describe('Numbers that formulas, rules and quotas read.'),
  tier2_scorers: z.array(scorerSchema).default([]).describe('Scorers with weights.'),
  combine: z
    .union([z.literal([...COMBINE_METHODS]), z.strictObject({ formula: celSchema })])
    .default('weighted_mean')
    .describe('How the scores become one number.'),
  weights: z
    .strictObject({
      by: celSchema.describe('The name of the case that holds.'),
      cases: z
        .record(z.string(), z.record(z.string(), z.number()))
        .describe('Only what differs from the entries’ own.'),
    })
    .optional(),
  adjustments: z.array(adjustmentSchema).default([]).describe('Rules on the combined score, in order.'),
  phase_profiles: phaseProfilesSchema
    .optional()
    .describe('Factors by phase and strategy: the rule `phase`, before all others.'),
  rerank: rerankSchema.optional(),
  select: selectSchema,
  fallback: z
    .array(z.strictObject({ when: celSchema.optional(), use: z.string().min(1) }))
    .default([])
    .describe('What is selected when nothing was: a strategy, or a candidate’s id.'),
  report: z.array(reportSchema).default([]).describe('Values of the ranking as a whole.'),
});

/** The same, not to be written to: so that constants may be given. */
type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

type ProfileRoot = DeepReadonly<z.input<typeof profileSchema>>;

/** A profile as it is written, in YAML or as an object. */
export type ProfileInput = ProfileRoot & {
  /** What may also stand at the root: nothing but the root again. */
  readonly scoring?: ProfileRoot;
};

/** A profile after its defaults. */
export type ProfileData = z.output<typeof profileSchema>;

/** The lists whose entries merge by id under `extends`. */
export const ENTRY_LISTS = [
  'signals',
  'strategies',
  'tier1_scorers',
  'measures',
  'tier2_scorers',
  'adjustments',
  'report',
] as const;
