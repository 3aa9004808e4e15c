import * as z from 'zod';
import { DEFAULT_STEPS } from '../../expression/index.js';
import { COMBINE_METHOD_NAMES } from '../combine-methods.js';
import {
  adjustmentSchema,
  celSchema,
  defaultsSchema,
  idSchema,
  measureSchema,
  numberOrCel,
  reportSchema,
  rerankSchema,
  scorerSchema,
  signalSchema,
  strategySchema,
  useShape,
  vetoSchema,
} from './entry-schemas.js';

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

const diversifySchema = z
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

/** How a score becomes the relevance of a document. */
export const RELEVANCE = ['clamp', 'max', 'sigmoid', 'score'] as const;

/** What a profile says to a server. */
const serveSchema = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .default('text')
      .describe('The field of a candidate that the text of a document becomes, in requests that bring documents.'),
    query: z.string().min(1).default('query').describe('The field of the context that the query becomes.'),
    relevance: z
      .enum(RELEVANCE)
      .default('clamp')
      .describe(
        'How a score becomes the relevance of a document, from 0 to 1: clamp cuts it, max divides it by the best score of the request, sigmoid is 1 / (1 + exp(-score)); score leaves it as it is.',
      ),
    shadow: z
      .string()
      .min(1)
      .optional()
      .describe('A profile beside this one that ranks the same requests unseen: how its selection differs is counted.'),
  })
  .prefault({})
  .describe('How `assize serve` answers with this profile.');

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
