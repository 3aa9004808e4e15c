import { z } from 'zod';
import { duration } from '../expression/params.js';

/** The rule for ids, and for phase names: what an expression can name. */
export const ID = /^[a-z][a-z0-9_]*$/;

export const ID_RULE = 'expected a lower-case name such as my_entry: a letter, then letters, digits and _';
export const id = z.string().regex(ID, ID_RULE);

/** What says that a text is an expression. */
export const CEL = 'A CEL expression.';
export const cel = z.string().min(1).describe(CEL);
const numberOrCel = z.union([z.number(), cel]);

const positiveDuration = duration().refine((ms) => ms > 0, 'expected a duration above 0');

/** What every entry may say. */
const common = {
  id: id.describe('Its name in results, expressions and explanations; entries merge by it.'),
  enabled: z.boolean().default(true).describe('false: as if it were not there.'),
  when: cel
    .optional()
    .describe('Asked once a run: the entry is in the run when it is true. Sees context, now, signals.'),
  before: id.optional().describe('Puts a new entry before the one of this id.'),
};

/** What every use of a class says. */
export const use = {
  class: z.string().min(1).optional().describe('The class, looked up in the plugins of this file, then in core.'),
  params: z.record(z.string(), z.unknown()).optional().describe('The parameters of the class.'),
};

const classOrExpr = {
  ...use,
  expr: cel.optional().describe('A CEL expression, in place of a class.'),
  timeout: positiveDuration
    .optional()
    .describe('How long its preparing may take; a synchronous endless loop cannot be stopped.'),
  memory: z
    .string()
    .min(1)
    .optional()
    .describe('The file in which its memory outlives the process, from the folder of this profile.'),
};

/** Holds an entry to one of the two. */
const classOrExprOf = <S extends z.ZodType<{ class?: unknown; expr?: unknown }>>(entry: S) =>
  entry
    .refine(({ class: name, expr }) => name !== undefined || expr !== undefined, {
      error: 'missing class or expr',
      when: ({ issues }) => issues.length === 0, // else one of them may be what is malformed
    })
    .refine(({ class: name, expr }) => name === undefined || expr === undefined, {
      error: 'expected either class or expr, found both',
      when: ({ value }) => typeof value === 'object' && value !== null, // whatever else is wrong with it
    });

export const veto = classOrExprOf(
  z.strictObject({
    ...common,
    ...classOrExpr,
    on_absent: z
      .literal(['pass', 'refuse'])
      .optional()
      .describe('Where it abstains; pass, unless the class decides otherwise.'),
    on_error: z
      .literal(['refuse', 'pass', 'fail'])
      .default('refuse')
      .describe('Where it throws, or gives no boolean; fail: the run fails.'),
  }),
);

export const measure = classOrExprOf(z.strictObject({ ...common, ...classOrExpr }));

export const scorer = classOrExprOf(
  z.strictObject({
    ...common,
    ...classOrExpr,
    weight: numberOrCel.default(1).describe('A number, or CEL evaluated once a run.'),
    on_absent: z
      .union([z.number(), z.literal(['skip', 'refuse'])])
      .optional()
      .describe(
        'Where it abstains: its weight leaves the row (skip), a number stands in, or the candidate is refused.',
      ),
    on_error: z
      .union([z.number(), z.literal(['refuse', 'skip', 'fail'])])
      .optional()
      .describe('Where it throws or is not finite: refuse the candidate; where it cannot be prepared: fail the run.'),
    out_of_range: z
      .literal(['warn', 'clamp', 'fail'])
      .default('warn')
      .describe('Where it leaves the range that its class declares.'),
  }),
);

export const signal = z.strictObject({
  ...common,
  ...use,
  class: z.string().min(1).describe('The signal class.'),
  timeout: positiveDuration.optional().describe('How long it may take.'),
  retries: z.number().int().min(0).max(10).default(0).describe('How often it is tried again when it fails.'),
  on_error: z
    .literal(['skip', 'fail'])
    .default('skip')
    .describe('skip: the signal is missing, and the ranking says so.'),
});

export const strategy = z.looseObject({
  id,
  enabled: z.boolean().default(true),
  before: id.optional(),
  focus: z
    .strictObject({ ...use, class: z.string().min(1), when: cel.optional() })
    .optional()
    .describe('What its candidates are about: a generator. Without one, a single open focus named after it.'),
});

const table: z.ZodType<Table> = z.lazy(() => z.record(z.string(), z.union([z.number(), table])));

/** Numbers by the keys of `by`, one level a key. */
export interface Table {
  readonly [key: string]: number | Table;
}

export const adjustment = z
  .strictObject({
    id: common.id,
    enabled: common.enabled,
    before: common.before,
    when: cel.optional().describe('Asked for each candidate: the rule fires when it is true.'),
    set: numberOrCel.optional().describe('The new score.'),
    add: numberOrCel.optional(),
    multiply: z
      .union([
        z.number(),
        cel,
        z.strictObject({
          table,
          by: z.array(cel).min(1).describe('What to look up, one expression a level of the table.'),
          missing: z.number().default(1).describe('The factor where the table has none.'),
          zero: z
            .literal(['score', 'refuse'])
            .default('score')
            .describe('refuse: a factor of 0 refuses the candidate.'),
        }),
      ])
      .optional(),
    min: numberOrCel.optional().describe('The score is at least this.'),
    max: numberOrCel.optional().describe('The score is at most this.'),
  })
  .refine(
    (rule) => [rule.set, rule.add, rule.multiply, rule.min, rule.max].some((value) => value !== undefined),
    'expected at least one of set, add, multiply, min, max',
  );

export const rerank = z
  .strictObject({
    top: z.number().int().min(1).describe('About how many of the best they are asked.'),
    ask: z.array(id).min(1).describe('The ids of scorers; the others order the candidates.'),
  })
  .describe(
    'Asks some scorers only about the best by the others; the rest is left out. Not exact, and results say so.',
  );

export const report = z.strictObject({
  ...common,
  ...use,
  class: z.string().min(1).describe('The report class.'),
  timeout: positiveDuration.optional(),
  warn_below: z.number().optional().describe('Warns when its value is a number below this.'),
});
