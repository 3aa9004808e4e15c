import * as z from 'zod';
import { DEFAULT_STEPS } from '../../expression/index.js';
import { COMBINE_METHOD_NAMES } from '../combine-methods.js';
import {
  adjustmentSchema,
  celSchema,
  defaultsSchema,
  idSchema,
  letSchema,
  measureSchema,
  numberOrCel,
  reportSchema,
  rerankSchema,
  scorerSchema,
  signalSchema,
  statsSchema,
  strategySchema,
  useShape,
  vetoSchema,
} from './entry-schemas.js';

const nonNegativeNumber = z.number().min(0);

/** The budget of a run. A call may override its target and maximum, but not its reserves. */
export const budgetSchema = z
  .union([
    nonNegativeNumber,
    z.strictObject({
      target: nonNegativeNumber.optional().describe('The cost to fill up to. Default: max.'),
      max: nonNegativeNumber.optional().describe('The maximum total cost. Default: target.'),
      output_reserve: nonNegativeNumber.default(0).describe('The part of max that is reserved for the answer.'),
      reserved_slots: z
        .record(z.string().min(1), nonNegativeNumber)
        .default({})
        .describe('The parts of target and max that are reserved for other content, by name.'),
      safety_margin: z
        .number()
        .min(0)
        .max(100)
        .default(0)
        .describe('The percentage of the rest that stays unused, because costs are estimates.'),
    }),
  ])
  .describe(
    'A single number sets target and max. A call may override them, and must set them if the profile does not.',
  );

/** The keys of a class that diversifies, packs or places. */
const selectorShape = { ...useShape, class: z.string().min(1).describe('The selector class.') };

export const packSchema = z
  .strictObject({
    cost: celSchema.describe('The cost of a candidate, such as candidate.tokens. A number of at least 0.'),
    budget: budgetSchema.optional(),
    keep_together: celSchema
      .optional()
      .describe(
        'Candidates with the same value of this expression, such as candidate.group, are packed together or not at all. A candidate without a value is on its own.',
      ),
    requires: celSchema
      .optional()
      .describe(
        'The ids of the candidates that must be packed with a candidate: a text or a list, such as candidate.needs.',
      ),
    variants: celSchema
      .optional()
      .describe(
        'Shorter versions of a candidate, as a list of maps: the fields that differ, and optionally `cost` and `share`, the part of the score from 0 to 1. At most one is packed, if the whole candidate does not fit.',
      ),
    order: celSchema
      .optional()
      .describe(
        'The order of the packed candidates: `score`, `input` (the position), `conversation` (system messages, then the position), `time` (candidate.timestamp), or an expression, lowest first.',
      ),
    overflow: z
      .literal(['throw', 'truncate', 'proceed'])
      .default('throw')
      .describe(
        'If the selection costs more than the target: throw fails the run, truncate keeps what fits next to the pinned candidates, proceed keeps all.',
      ),
    ...selectorShape,
    class: z
      .string()
      .min(1)
      .default('GroupPack')
      .describe('The selector class. Only classes that keep groups accept keep_together, requires and variants.'),
  })
  .describe('Fills a budget with the best candidates that fit into it.');

export const perSchema = z
  .strictObject({
    by: celSchema.describe(
      'An expression for the group of a candidate, such as candidate.brand. Candidates for which it is absent are not limited.',
    ),
    top: z.number().int().min(1).describe('The maximum number of candidates of a group. The best are selected.'),
  })
  .describe('Limits how many candidates of each group are selected.');

const diversifySchema = z
  .strictObject(selectorShape)
  .describe('Chooses the top by more than the score, for example by how different the candidates are.');

export const placeSchema = z.strictObject(selectorShape).describe('The order of the selected candidates.');

/** The steps of selection, in the order in which they apply. */
export const selectSchema = z
  .strictObject({
    duplicates: celSchema
      .optional()
      .describe('Of the candidates with the same value of this expression, keeps the best.'),
    min_score: numberOrCel
      .optional()
      .describe(
        'The lowest score that is selected: a number, or a CEL expression on the context, evaluated once per run.',
      ),
    per: perSchema.optional(),
    ties: z
      .array(celSchema)
      .min(1)
      .optional()
      .describe('Expressions that order equal scores, lowest first; `input` is the position.'),
    top: z
      .union([z.number().int().min(0), celSchema])
      .optional()
      .describe(
        'The maximum number of selected candidates: a number, or a CEL expression on the context, evaluated once per run.',
      ),
    seed: z
      .union([z.number().int().min(0), celSchema])
      .optional()
      .describe(
        'With a seed, candidates that are equal in score and ties are in a random order, and classes may choose at random. The same seed gives the same order. A number, or a CEL expression on the context; absent: nothing is random.',
      ),
    diversify: diversifySchema.optional(),
    prune: z
      .boolean()
      .optional()
      .describe(
        'With top, candidates that can no longer be selected skip expensive scorers. The selection stays the same. true: warn if this is not possible. false: run every scorer on every candidate.',
      ),
    pack: packSchema.optional(),
    place: placeSchema.optional(),
  })
  .default({})
  .describe('Which candidates are selected, and in which order.');

/** How a score is converted to the relevance of a document. */
export const RELEVANCE = ['clamp', 'max', 'sigmoid', 'score'] as const;

/** The settings of a profile for a server. */
const serveSchema = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .default('text')
      .describe('The candidate field that receives the text of a document, in requests with documents.'),
    query: z.string().min(1).default('query').describe('The context field that receives the query.'),
    relevance: z
      .enum(RELEVANCE)
      .default('clamp')
      .describe(
        'How a score is converted to the relevance of a document, from 0 to 1. clamp limits it, max divides it by the best score of the request, sigmoid is 1 / (1 + exp(-score)), score does not change it.',
      ),
    shadow: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A profile in the same folder that also ranks each request. The server counts the differences and does not return its results.',
      ),
  })
  .prefault({})
  .describe('How `assize serve` uses this profile.');

/** The types that a declared field of the context may have. */
export const CONTEXT_TYPES = ['int', 'number', 'string', 'bool', 'list', 'map', 'time'] as const;

const contextFieldSchema = z.strictObject({
  type: z
    .literal([...CONTEXT_TYPES])
    .optional()
    .describe('time: milliseconds, ISO 8601 or a Date.'),
  required: z.boolean().default(false).describe('true: a context without it is an error.'),
  description: z.string().optional().describe('One line about its meaning.'),
});

/** One phase; its name is the key. */
export const phaseSchema = z.strictObject({
  n_turns: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The number of turns that the phase lasts. The last phase has no end.'),
  when: celSchema.optional().describe('A condition. If it is not true, the next phase is used instead.'),
});

const phaseProfilesSchema = z.record(idSchema, z.record(z.string(), z.number()));

/** Every key of a profile. This schema provides the check, the type and the JSON Schema for editors. */
export const profileSchema = z.strictObject({
  name: z.string().optional().describe('The name of the profile in results.'),
  description: z.string().optional().describe('One line about its purpose.'),
  extends: z.array(z.string().min(1)).default([]).describe('Presets and files that this profile builds on, in order.'),
  plugins: z
    .array(z.string().min(1))
    .default([])
    .describe('Shipped plugins, files (./my-scorers.ts) and npm packages.'),
  candidate: z
    .strictObject({
      id: z
        .string()
        .min(1)
        .optional()
        .describe('The path of a candidate’s id. Default: `id`, or the position if there is no id.'),
      pinned: celSchema
        .optional()
        .describe('Candidates for which it is true are selected without a score, if no veto refuses them.'),
    })
    .default({})
    .describe('How candidates are read.'),
  fields: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe(
      'Renames candidate fields. With content: text, the profile and its presets read content, and the candidates have text.',
    ),
  context: z
    .record(z.string(), contextFieldSchema)
    .optional()
    .describe('The fields of the context that the profile reads.'),
  defaults: defaultsSchema.optional(),
  phases: z.record(idSchema, phaseSchema).optional().describe('The signal `phase`, from context.turn_count.'),
  signals: z.array(signalSchema).default([]).describe('Values that are computed once per run.'),
  strategies: z.array(strategySchema).default([]).describe('Generate candidates if the caller passes none.'),
  let: letSchema
    .default({})
    .describe('Names for CEL expressions of any type, which other expressions read by the name alone.'),
  veto_on_first: z.boolean().default(true).describe('false evaluates every veto, so that all reasons are reported.'),
  tier1_scorers: z.array(vetoSchema).default([]).describe('Vetoes, in order. A refusal is final.'),
  measures: z.array(measureSchema).default([]).describe('Numbers that formulas, rules and quotas read.'),
  stats: statsSchema
    .default({})
    .describe(
      'Statistics over the candidates that the vetoes keep, read as stats.NAME.mean: min, max, sum, mean, count, stddev or stddev_sample. Each is a CEL expression, or a map.',
    ),
  tier2_scorers: z.array(scorerSchema).default([]).describe('Scorers with weights; their scores are combined.'),
  combine: z
    .union([z.literal([...COMBINE_METHOD_NAMES]), z.strictObject({ formula: celSchema })])
    .default('weighted_mean')
    .describe('How the scores are combined into one number.'),
  on_unscored: z
    .union([z.number(), z.literal('refuse')])
    .default('refuse')
    .describe('If there is no score to combine: a number is used as the combined score, refuse refuses the candidate.'),
  weights: z
    .strictObject({
      by: celSchema.describe('An expression for the name of the case to use.'),
      cases: z
        .record(z.string(), z.record(z.string(), z.number()))
        .describe('Weights that override those of the scorers, by case and id.'),
    })
    .optional()
    .describe('Other weights for some candidates.'),
  adjustments: z.array(adjustmentSchema).default([]).describe('Rules on the combined score, in order.'),
  phase_profiles: phaseProfilesSchema
    .optional()
    .describe('Factors by phase and strategy. They apply as the rule `phase`, before all others.'),
  rerank: rerankSchema.optional(),
  select: selectSchema,
  fallback: z
    .array(
      z.strictObject({
        when: celSchema.optional(),
        use: z.string().min(1).describe('The id of a strategy or of a candidate.'),
      }),
    )
    .default([])
    .describe('What to select if nothing was selected: a strategy, or a candidate’s id.'),
  expression_steps: z
    .number()
    .int()
    .min(1)
    .default(DEFAULT_STEPS)
    .describe(
      'The maximum number of steps of an expression per candidate: the elements that its macros visit and create.',
    ),
  report: z.array(reportSchema).default([]).describe('Values of the ranking as a whole.'),
  serve: serveSchema,
});

/** A type with readonly parts, so that constants can be passed. */
type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

type ProfileRoot = DeepReadonly<z.input<typeof profileSchema>>;

/** A profile as written, in YAML or as an object. */
export type ProfileInput = ProfileRoot & {
  /** Any keys of the root. */
  readonly scoring?: ProfileRoot;
};

/** A profile with its defaults. */
export type ProfileData = z.output<typeof profileSchema>;
