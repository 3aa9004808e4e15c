import * as z from 'zod';

/** The range that an expression declares. A class declares its own. */
export const rangeSchema = z.tuple([z.number(), z.number()]).refine(([least, most]) => least <= most, {
  error: ({ input }) =>
    `expected two numbers [least, most] in ascending order, found [${String(input).replace(',', ', ')}]`,
});

/** The message for a declared range of a class. */
export const RANGE_OF_CLASS = 'a class declares its own range; an entry declares one only with expr';

/** An entry among params, as it is written. */
export const childShape = z.strictObject({
  id: z.string().min(1).optional().describe('Its name in the score matrix. Default: its class or expression.'),
  class: z.string().min(1).optional().describe('The scorer class.'),
  expr: z.string().min(1).optional().describe('A CEL expression, instead of a class.'),
  range: rangeSchema.optional().describe('The least and the greatest number of the expression.'),
  weight: z.number().default(1).describe('Its weight among its siblings.'),
  on_absent: z
    .union([z.number(), z.literal(['skip', 'refuse'])])
    .optional()
    .describe('The number to use if it abstains, or skip or refuse. Default: that of the class.'),
  params: z.unknown().optional().describe('The parameters of the class.'),
});

/** The same symbol in every copy of the library: a plugin may import its own copy. */
const BRAND = Symbol.for('assize:child');

/** An entry among the params of a unit. The engine resolves, validates, injects and prepares it. */
export class Child {
  readonly [BRAND] = true;

  /**
   * @param spec the entry as written, its shape checked
   * @param raw  the object of the profile itself, which identifies its place in the file
   */
  constructor(
    readonly spec: Readonly<z.output<typeof childShape>>,
    readonly raw: object,
  ) {}

  get weight(): number {
    return this.spec.weight;
  }
}

/** Whether a value is a `Child`, from any copy of the library. */
export const isChild = (value: unknown): value is Child =>
  typeof value === 'object' && value !== null && BRAND in value;

const childSchema = z
  .unknown()
  .meta({ title: 'entry' })
  .transform((raw, ctx): Child => {
    const parsed = childShape.safeParse(raw);
    const issues = parsed.success ? [] : parsed.error.issues;
    for (const issue of issues) ctx.issues.push({ ...issue, code: 'custom', input: raw, params: { issue } });
    if (!parsed.success || typeof raw !== 'object' || raw === null) return z.NEVER;
    if ((parsed.data.class === undefined) === (parsed.data.expr === undefined)) {
      const message =
        parsed.data.class === undefined ? 'missing class or expr' : 'expected either class or expr, found both';
      ctx.issues.push({ code: 'custom', input: raw, message });
      return z.NEVER;
    }
    if (parsed.data.class !== undefined && parsed.data.range !== undefined) {
      ctx.issues.push({ code: 'custom', input: raw, path: ['range'], message: RANGE_OF_CLASS });
      return z.NEVER;
    }
    return new Child(parsed.data, raw);
  });

/** A param that is an entry: `class` with `params`, or `expr`; `weight`, `on_absent`. */
export const child = () => childSchema;

/** A param that is a list of entries, at least one. */
export const children = () => z.array(childSchema).min(1);
