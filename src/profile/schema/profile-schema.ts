import * as z from 'zod';
import { DEFAULT_STEPS } from '../../expression/index.js';
import { COMBINE_METHOD_NAMES } from '../combine-methods.js';
import {
  adjustmentSchema,
  celSchema,
  defaultsSchema,
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
import { serveSchema } from './serve-schema.js';

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
  n_turns: z.number().int().min(0).optional().describe('The number of turns that it lasts; the last phase has no end.'),
  when: celSchema.optional().describe('When it is not true, the next phase takes its place.'),
});

const phaseProfilesSchema = z.record(idSchema, z.record(z.string(), z.number()));

/** Every key of a profile. One schema gives the check, the type and the editor's JSON Schema. */
export const profileSchema = z.strictObject({
  name: z.string().optional().describe('Its name in results.'),
  description: z.string().optional().describe('One line on what it is for.'),
  extends: z.array(z.string().min(1)).default([]).describe('Presets and files that this profile builds on, in order.'),
  plugins: z
    .array(z.string().min(1))
    .default([])
    .describe('Plugins that ship, files (./my-scorers.ts) and npm packages.'),
  candidate: z
    .strictObject({
      id: z.string().min(1).optional().describe('The path of a candidate’s id; `id` by default, else its position.'),
      pinned: celSchema.optional().describe('The candidates that are selected whatever their score: a CEL condition.'),
    })
    .default({}),
  fields: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe(
      'Where the candidates have what the profile, or a preset that it extends, calls otherwise: content: text.',
    ),
  context: z
    .record(z.string(), contextFieldSchema)
    .optional()
    .describe('The fields of the context that the profile reads.'),
  defaults: defaultsSchema.optional(),
  phases: z.record(idSchema, phaseSchema).optional().describe('The signal `phase`, from context.turn_count.'),
  signals: z.array(signalSchema).default([]).describe('Values computed once a run.'),
  strategies: z.array(strategySchema).default([]).describe('Generate candidates when the caller gives none.'),
  veto_on_first: z.boolean().default(true).describe('false: evaluate every veto, to report all reasons.'),
  tier1_scorers: z.array(vetoSchema).default([]).describe('Vetoes, in order: a refusal is final.'),
  measures: z.array(measureSchema).default([]).describe('Numbers that formulas, rules and quotas read.'),
  tier2_scorers: z.array(scorerSchema).default([]).describe('Scorers with weights; their scores are combined.'),
  combine: z
    .union([z.literal([...COMBINE_METHOD_NAMES]), z.strictObject({ formula: celSchema })])
    .default('weighted_mean')
    .describe('How the scores become one number.'),
  weights: z
    .strictObject({
      by: celSchema.describe('An expression that gives the name of the case to use.'),
      cases: z
        .record(z.string(), z.record(z.string(), z.number()))
        .describe('Weights that differ from the entries’ own, by case and id.'),
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
    .describe('What to select when nothing was selected: a strategy, or a candidate’s id.'),
  expression_steps: z
    .number()
    .int()
    .min(1)
    .default(DEFAULT_STEPS)
    .describe('How many steps an expression may take on a candidate: the elements that its macros visit and make.'),
  report: z.array(reportSchema).default([]).describe('Values of the ranking as a whole.'),
  serve: serveSchema,
});

/** A type whose parts are all readonly, so that constants may be passed. */
type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

type ProfileRoot = DeepReadonly<z.input<typeof profileSchema>>;

/** A profile as it is written, in YAML or as an object. */
export type ProfileInput = ProfileRoot & {
  /** Any keys of the root. */
  readonly scoring?: ProfileRoot;
};

/** A profile after its defaults. */
export type ProfileData = z.output<typeof profileSchema>;
