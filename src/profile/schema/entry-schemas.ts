import * as z from 'zod';
import { escapeInvisible } from '../../base/index.js';
import { outside, duration } from '../../expression/index.js';
import { RANGE_OF_CLASS, rangeSchema } from '../../sdk/index.js';

/** The form of ids and phase names: what an expression can name. */
export const ID_PATTERN = /^[a-z][a-z0-9_]*$/;

/** How long a name may be. */
const MAX_NAME = 200;

export const idSchema = z
  .string()
  .max(MAX_NAME)
  .regex(ID_PATTERN, 'expected a lower-case name such as my_entry: a letter, then letters, digits and _');

/** The description that marks a text as an expression. */
export const CEL_DESCRIPTION = 'A CEL expression.';
export const celSchema = z.string().min(1).describe(CEL_DESCRIPTION);
export const numberOrCel = z.union([z.number(), celSchema]);

const positiveDuration = duration().refine((ms) => ms > 0, 'expected a duration above 0');

/** How long a label may be: it stands at the head of a column. */
const MAX_LABEL = 80;

/** A name for people. */
export const labelSchema = z
  .string()
  .max(MAX_LABEL)
  .refine((label) => label.trim() === label && label !== '', 'expected a name, such as "Popularity"')
  // It is printed as it is: a text that a terminal would obey, or that is invisible, is none.
  .refine((label) => escapeInvisible(label) === label, 'expected a name on one line, of characters that can be seen')
  .optional();

/** The keys that every entry may have. */
const commonShape = {
  id: idSchema.describe('Its name in results, expressions and explanations; entries merge by it.'),
  label: labelSchema.describe('Its name for people, in place of its id in tables and texts; in JSON under labels.'),
  enabled: z.boolean().default(true).describe('false: the entry is left out.'),
  when: celSchema
    .optional()
    .describe('Evaluated once a run; the entry takes part when it is true. Reads context, now, signals.'),
  before: idSchema.optional().describe('Inserts a new entry before the one with this id.'),
};

const reasonSchema = z.string().min(1).optional();

/** The keys of every use of a class. */
export const useShape = {
  class: z.string().min(1).optional().describe('The class, looked up in the plugins of this file, then in core.'),
  params: z.record(z.string(), z.unknown()).optional().describe('The parameters of the class.'),
};

const classOrExprShape = {
  ...useShape,
  expr: celSchema.optional().describe('A CEL expression, in place of a class.'),
  timeout: positiveDuration
    .optional()
    .describe('How long preparing may take. A synchronous endless loop cannot be stopped.'),
  memory: outside('file', z.string().min(1))
    .optional()
    .describe('The file that keeps its memory between processes, relative to the folder of this profile.'),
};

const rangeShape = {
  range: rangeSchema
    .optional()
    .describe('The least and the greatest number of its expression, as a class declares them.'),
};

/** Refines an entry's schema: a range only with an expression. */
const refineRange = <S extends z.ZodType<{ class?: unknown; range?: unknown }>>(entry: S) =>
  entry.refine(({ class: name, range }) => name === undefined || range === undefined, {
    error: RANGE_OF_CLASS,
    path: ['range'],
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** Refines an entry's schema: class or expr, and not both. */
const refineClassOrExpr = <S extends z.ZodType<{ class?: unknown; expr?: unknown }>>(entry: S) =>
  entry
    .refine(({ class: name, expr }) => name !== undefined || expr !== undefined, {
      error: 'missing class or expr',
      when: ({ issues }) => issues.length === 0, // else one of them may be what is malformed
    })
    .refine(({ class: name, expr }) => name === undefined || expr === undefined, {
      error: 'expected either class or expr, found both',
      when: ({ value }) => typeof value === 'object' && value !== null, // whatever else is wrong with it
    });

export const vetoSchema = refineClassOrExpr(
  z.strictObject({
    ...commonShape,
    ...classOrExprShape,
    on_absent: z
      .literal(['pass', 'refuse'])
      .optional()
      .describe('When it abstains; pass, unless the class declares otherwise.'),
    on_error: z
      .literal(['refuse', 'pass', 'fail'])
      .default('refuse')
      .describe('When it throws or gives no boolean; fail: the run fails.'),
    reason: reasonSchema.describe('Said of a candidate that it refuses, for people outside.'),
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
      'skip: it is absent where it throws or gives no finite number, and the ranking reports it; fail: the run fails.',
    ),
});

export const measureSchema = refineRange(refineClassOrExpr(measureObject));

const scorerObject = z.strictObject({
  ...commonShape,
  ...classOrExprShape,
  ...rangeShape,
  weight: numberOrCel.default(1).describe('A number, or CEL evaluated once a run.'),
  on_absent: z
    .union([z.number(), z.literal(['skip', 'refuse'])])
    .optional()
    .describe(
      'When it abstains: skip leaves it and its weight out, a number takes its place, refuse refuses the candidate.',
    ),
  on_error: z
    .union([z.number(), z.literal(['refuse', 'skip', 'fail'])])
    .optional()
    .describe('When it throws or gives no finite number; refuse by default, and fail where preparing fails.'),
  out_of_range: z
    .literal(['warn', 'clamp', 'fail'])
    .default('warn')
    .describe('When its number is outside the range that its class, or the entry of an expression, declares.'),
  reason: reasonSchema.describe('Said of a candidate that it refuses by on_absent: refuse, for people outside.'),
});

export const scorerSchema = refineRange(refineClassOrExpr(scorerObject));

export const signalSchema = z.strictObject({
  ...commonShape,
  ...useShape,
  class: z.string().min(1).describe('The signal class.'),
  timeout: positiveDuration.optional().describe('How long it may take.'),
  retries: z.number().int().min(0).max(10).default(0).describe('How many times it is tried again when it fails.'),
  on_error: z
    .literal(['skip', 'fail'])
    .default('skip')
    .describe('skip: the signal is absent, and the ranking reports it.'),
});

export const strategySchema = z.looseObject({
  id: idSchema,
  enabled: z.boolean().default(true),
  before: idSchema.optional(),
  focus: z
    .strictObject({ ...useShape, class: z.string().min(1), when: celSchema.optional() })
    .optional()
    .describe('The generator of its candidates. Without one there is a single open focus, named after the strategy.'),
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
    when: celSchema.optional().describe('Evaluated for each candidate; the rule applies when it is true.'),
    set: numberOrCel.optional().describe('The new score.'),
    add: numberOrCel.optional(),
    multiply: z
      .union([
        z.number(),
        celSchema,
        z.strictObject({
          table: factorTableSchema,
          by: z.array(celSchema).min(1).describe('The keys to look up: one expression for each level of the table.'),
          missing: z.number().default(1).describe('The factor when the table has none.'),
          zero: z
            .literal(['score', 'refuse'])
            .default('score')
            .describe('refuse: a factor of 0 refuses the candidate.'),
        }),
      ])
      .optional(),
    min: numberOrCel.optional().describe('The score is at least this.'),
    max: numberOrCel.optional().describe('The score is at most this.'),
    reason: reasonSchema.describe('Said of a candidate that it refuses by zero: refuse, for people outside.'),
  })
  .refine(
    (rule) => [rule.set, rule.add, rule.multiply, rule.min, rule.max].some((value) => value !== undefined),
    'expected at least one of set, add, multiply, min, max',
  );

export const rerankSchema = z
  .strictObject({
    top: z.number().int().min(1).describe('About how many of the best candidates they score.'),
    ask: z
      .array(idSchema)
      .min(1)
      .describe('The ids of the scorers that run last; the others order the candidates first.'),
  })
  .describe(
    'Runs some scorers only on the best candidates by the others; the rest is left out. Approximate, and results say so.',
  );

export const reportSchema = z.strictObject({
  ...commonShape,
  ...useShape,
  class: z.string().min(1).describe('The report class.'),
  timeout: positiveDuration.optional(),
  warn_below: z.number().optional().describe('Warns when its value is a number below this one.'),
});

/** The lists whose entries a profile's `defaults` are for, with the keys that each entry may have. */
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

/** What entries do that say nothing themselves: an entry takes what its kind has and can be. */
export const defaultsSchema = z
  .strictObject({
    on_absent: z
      .union([z.number(), z.literal(['skip', 'refuse', 'pass'])])
      .optional()
      .describe('Of Tier 1: pass, refuse; of Tier 2: a number, skip, refuse. Comes before what a class declares.'),
    on_error: z
      .union([z.number(), z.literal(['refuse', 'skip', 'pass', 'fail'])])
      .optional()
      .describe(
        'Of Tier 1: refuse, pass, fail; of Tier 2: a number, refuse, skip, fail; of measures and signals: skip, fail.',
      ),
    timeout: positiveDuration.optional().describe('Of signals, reports and every entry that prepares.'),
  })
  .describe('What entries do that say nothing themselves.');
