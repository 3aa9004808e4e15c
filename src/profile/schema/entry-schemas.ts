import * as z from 'zod';
import { escapeInvisible } from '../../base/index.js';
import { outside, duration } from '../../expression/index.js';
import { RANGE_OF_CLASS, rangeSchema } from '../../sdk/index.js';

/** The form of ids and phase names, so that expressions can name them. */
export const ID_PATTERN = /^[a-z][a-z0-9_]*$/;

/** The maximum length of a name. */
const MAX_NAME = 200;

export const idSchema = z
  .string()
  .max(MAX_NAME)
  .regex(ID_PATTERN, 'expected a lower-case name such as my_entry: a letter, then letters, digits and _');

/** The description that marks a text as an expression. */
export const CEL_DESCRIPTION = 'A CEL expression.';
export const celSchema = z.string().min(1).describe(CEL_DESCRIPTION);
export const numberOrCel = z.union([z.number(), celSchema]);

/** A name for an expression: a text, or a constant. */
export const letSchema = z.record(idSchema, z.union([celSchema, z.number(), z.boolean()]));

/** Statistics over the kept candidates. */
const statisticSchema = z.strictObject({
  of: celSchema
    .optional()
    .describe('The number of a candidate. Candidates for which it is absent are not counted. Default: 1.'),
  by: celSchema
    .optional()
    .describe('The group of a candidate. It reads the statistics of its own group; without a group they are absent.'),
  when: celSchema
    .optional()
    .describe('A condition, evaluated for each candidate. Only candidates for which it is true are counted.'),
});

export const statsSchema = z.record(idSchema, z.union([celSchema, statisticSchema]));

const positiveDuration = duration().refine((ms) => ms > 0, 'expected a duration above 0');

/** The maximum length of a label, which is used as the heading of a column. */
const MAX_LABEL = 80;

/** A display name. */
export const labelSchema = z
  .string()
  .max(MAX_LABEL)
  .refine((label) => label.trim() === label && label !== '', 'expected a name, such as "Popularity"')
  // Labels are printed unescaped, so control characters and invisible characters are not allowed.
  .refine((label) => escapeInvisible(label) === label, 'expected a name on one line, with visible characters only')
  .optional();

/** The keys that all entries share. */
const commonShape = {
  id: idSchema.describe(
    'The name in results, expressions and explanations. With extends, items with the same id are merged.',
  ),
  label: labelSchema.describe('The name that tables and texts show instead of the id.'),
  enabled: z.boolean().default(true).describe('false disables it.'),
  when: celSchema
    .optional()
    .describe(
      'A condition on context, now and signals, evaluated once per run. If it is not true, the item is not used.',
    ),
  before: idSchema.optional().describe('Inserts the item before the one with this id.'),
};

const reasonSchema = z.string().min(1).optional();

/** The keys that all uses of a class share. */
export const useShape = {
  class: z
    .string()
    .min(1)
    .optional()
    .describe('The class, looked up in the plugins of this file, then in the plugin core.'),
  params: z.record(z.string(), z.unknown()).optional().describe('The parameters of the class.'),
};

const classOrExprShape = {
  ...useShape,
  expr: celSchema.optional().describe('A CEL expression, instead of a class.'),
  timeout: positiveDuration
    .optional()
    .describe('The time limit for preparing the class. It cannot stop a synchronous endless loop.'),
  memory: outside('file', z.string().min(1))
    .optional()
    .describe('The file that keeps the memory of the class between processes, relative to the folder of this profile.'),
};

const rangeShape = {
  range: rangeSchema.optional().describe('The least and the greatest number that the expression returns.'),
};

/** Refines an entry's schema: a range only with an expression. */
const refineRange = <S extends z.ZodType<{ class?: unknown; range?: unknown }>>(entry: S) =>
  entry.refine(({ class: name, range }) => name === undefined || range === undefined, {
    error: RANGE_OF_CLASS,
    path: ['range'],
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** Adds the check that an entry has either class or expr. */
const refineClassOrExpr = <S extends z.ZodType<{ class?: unknown; expr?: unknown }>>(entry: S) =>
  entry
    .refine(({ class: name, expr }) => name !== undefined || expr !== undefined, {
      error: 'missing class or expr',
      when: ({ issues }) => issues.length === 0, // otherwise one of them may be malformed
    })
    .refine(({ class: name, expr }) => name === undefined || expr === undefined, {
      error: 'expected either class or expr, found both',
      when: ({ value }) => typeof value === 'object' && value !== null, // independent of other problems
    });

export const vetoSchema = refineClassOrExpr(
  z.strictObject({
    ...commonShape,
    ...classOrExprShape,
    on_absent: z
      .literal(['pass', 'refuse'])
      .optional()
      .describe('The result if the veto abstains. Default: pass, unless the class declares another default.'),
    on_error: z
      .literal(['refuse', 'pass', 'fail'])
      .default('refuse')
      .describe('The result if the veto throws or does not return a boolean. fail: the run fails.'),
    reason: reasonSchema.describe('The reason that is shown for a candidate that it refuses.'),
  }),
);

const measureObject = z.strictObject({
  ...commonShape,
  ...classOrExprShape,
  ...rangeShape,
  on_error: z
    .literal(['skip', 'fail'])
    .default('skip')
    .describe(
      'If it throws or does not return a finite number: skip makes it absent and adds a warning to the ranking, fail fails the run.',
    ),
});

export const measureSchema = refineRange(refineClassOrExpr(measureObject));

const scorerObject = z.strictObject({
  ...commonShape,
  ...classOrExprShape,
  ...rangeShape,
  weight: numberOrCel.default(1).describe('A number, or a CEL expression that is evaluated once per run.'),
  on_absent: z
    .union([z.number(), z.literal(['skip', 'refuse'])])
    .optional()
    .describe(
      'If it abstains: skip ignores it and its weight, a number is used as its score, refuse refuses the candidate.',
    ),
  on_error: z
    .union([z.number(), z.literal(['refuse', 'skip', 'fail'])])
    .optional()
    .describe('If it throws or does not return a finite number. Default: refuse; if its preparation fails: fail.'),
  out_of_range: z.literal(['warn', 'clamp', 'fail']).default('warn').describe('If its score is outside its range.'),
  reason: reasonSchema.describe('The reason that is shown for a candidate that on_absent: refuse refuses.'),
});

export const scorerSchema = refineRange(refineClassOrExpr(scorerObject));

export const signalSchema = z.strictObject({
  ...commonShape,
  ...useShape,
  class: z.string().min(1).describe('The signal class.'),
  timeout: positiveDuration.optional().describe('The time limit.'),
  retries: z.number().int().min(0).max(10).default(0).describe('The number of retries if it fails.'),
  on_error: z
    .literal(['skip', 'fail'])
    .default('skip')
    .describe('If it fails: skip makes the signal absent and adds a warning to the ranking, fail fails the run.'),
});

export const strategySchema = z.looseObject({
  id: commonShape.id,
  enabled: commonShape.enabled,
  before: commonShape.before,
  focus: z
    .strictObject({
      ...useShape,
      class: z.string().min(1).describe('The generator class.'),
      when: celSchema
        .optional()
        .describe('A condition, evaluated once per run. If it is not true, nothing is generated.'),
    })
    .optional()
    .describe(
      'The class that generates its candidates. Default: one candidate, with the id of the strategy as its key.',
    ),
});

const factorTableSchema: z.ZodType<FactorTable> = z.lazy(() =>
  z.record(z.string(), z.union([z.number(), factorTableSchema])),
);

/** Factors by the values of `by`, one level for each. */
export interface FactorTable {
  readonly [key: string]: number | FactorTable;
}

export const adjustmentSchema = z
  .strictObject({
    id: commonShape.id,
    label: commonShape.label,
    enabled: commonShape.enabled,
    before: commonShape.before,
    when: celSchema.optional().describe('A condition, evaluated for each candidate. The rule applies if it is true.'),
    group: celSchema
      .optional()
      .describe(
        'An expression for the group of a candidate, such as candidate.author. The rule can then read `place`: the place of the candidate in its group by the score so far, from 1.',
      ),
    set: numberOrCel.optional().describe('The new score.'),
    add: numberOrCel.optional().describe('Is added to the score.'),
    multiply: z
      .union([
        z.number(),
        celSchema,
        z.strictObject({
          table: factorTableSchema.describe('Factors, with one level for each expression of by.'),
          by: z
            .array(celSchema)
            .min(1)
            .describe('Expressions for the keys to look up, one for each level of the table.'),
          missing: z.number().default(1).describe('The factor if a key is not in the table.'),
          zero: z
            .literal(['score', 'refuse'])
            .default('score')
            .describe('refuse: a factor of 0 refuses the candidate.'),
        }),
      ])
      .optional()
      .describe('The score is multiplied by this.'),
    min: numberOrCel.optional().describe('The score is at least this.'),
    max: numberOrCel.optional().describe('The score is at most this.'),
    refuse: z.literal(true).optional().describe('Refuses the candidate. It needs a when, and no other operation.'),
    on_absent: z
      .literal(['pass', 'refuse'])
      .optional()
      .describe(
        'With refuse: the result if its when is absent. Default: refuse if the when reads a score or a measure, which may be missing because of a failure; otherwise pass.',
      ),
    reason: reasonSchema.describe('The reason that is shown for a candidate that the rule refuses.'),
  })
  .superRefine((rule, ctx) => {
    const changes = [rule.set, rule.add, rule.multiply, rule.min, rule.max].some((value) => value !== undefined);
    const problem =
      rule.refuse === undefined
        ? !changes && 'expected at least one of set, add, multiply, min, max, refuse'
        : (changes && 'expected no other operation with refuse: a refused candidate has no score') ||
          (rule.when === undefined && 'expected a when: without it, the rule refuses every candidate');
    if (problem) ctx.addIssue({ code: 'custom', message: problem });
  });

export const rerankSchema = z
  .strictObject({
    top: z.number().int().min(1).describe('The approximate number of best candidates that they score.'),
    ask: z
      .array(idSchema)
      .min(1)
      .describe('The ids of the scorers that run last. The other scorers order the candidates first.'),
  })
  .describe(
    'Runs expensive scorers only on the candidates that the other scorers rank best. The rest is not selected. This is approximate, and results are marked as such.',
  );

export const reportSchema = z.strictObject({
  ...commonShape,
  ...useShape,
  class: z.string().min(1).describe('The report class.'),
  timeout: positiveDuration.optional(),
  warn_below: z.number().optional().describe('Adds a warning if its value is a number below this one.'),
});

/** The lists whose entries a profile's `defaults` apply to, with the keys that each entry may have. */
export const SHAPES_WITH_DEFAULTS: ReadonlyMap<string, Readonly<Record<string, z.ZodType>>> = new Map<
  string,
  Readonly<Record<string, z.ZodType>>
>([
  ['signals', signalSchema.shape],
  ['tier1_scorers', vetoSchema.shape],
  ['measures', measureSchema.shape],
  ['tier2_scorers', scorerSchema.shape],
  ['report', reportSchema.shape],
]);

/** The `defaults` of a profile: an entry uses those that are valid for its kind. */
export const defaultsSchema = z
  .strictObject({
    on_absent: z
      .union([z.number(), z.literal(['skip', 'refuse', 'pass'])])
      .optional()
      .describe('In Tier 1: pass, refuse. In Tier 2: a number, skip, refuse. Overrides the default of a class.'),
    on_error: z
      .union([z.number(), z.literal(['refuse', 'skip', 'pass', 'fail'])])
      .optional()
      .describe(
        'In Tier 1: refuse, pass, fail. In Tier 2: a number, refuse, skip, fail. In measures and signals: skip, fail.',
      ),
    timeout: positiveDuration
      .optional()
      .describe('The time limit of signals, reports and everything that is prepared.'),
  })
  .describe('Values of keys that a scorer, veto, measure, signal or report does not set.');
