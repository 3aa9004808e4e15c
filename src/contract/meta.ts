import * as z from 'zod';

/** The kinds of units. A unit in the place of another kind is a load error. */
export type UnitKind = 'veto' | 'scorer' | 'signal' | 'generator' | 'selector' | 'report';

/**
 * What a prepared unit must see to give the same scores. `candidate`: any part of the batch; `set`: all of it;
 * `sequence`: all of it, in order.
 */
export type BatchScope = 'candidate' | 'set' | 'sequence';

/** The lower and the upper bound of a score, both included. */
export type ScoreRange = readonly [least: number, most: number];

/** A value, or a function of the params that gives it. */
export type ParamDependent<P, V> = V | ((params: P) => V);

/**
 * The memory of a unit: a value that the engine keeps between runs. No unit writes into it: each run gives a new one.
 */
export interface MemoryFacts<P> {
  /** The memory before the first run. */
  empty(params: P): unknown;
  /** Present when the memory can be stored in the file that an entry's `memory` names. */
  readonly file?: MemoryFormat<P>;
}

/**
 * Serializes a memory. The engine checks of the file that it is whole and of the same class, version and, where the
 * unit has one, `fingerprint`.
 */
export interface MemoryFormat<P> {
  /** The version of this layout. A file of another version is refused. */
  readonly version: number;
  store(memory: never): Uint8Array;
  /**
   * The stored memory, under the limits of these params. It gives the same scores as the stored one.
   *
   * @throws Error where it cannot be a memory of these params, such as one of vectors of other dimensions
   */
  restore(bytes: Uint8Array, params: P): unknown;
}

/** How a formula of a unit writes what its params hold: each function gives a part of an expression. */
export interface FormulaParts {
  /** A number as CEL has it. With one that is not finite the unit has no formula. */
  readonly number: (value: number) => string;
  /** The field of a path param. */
  readonly path: (reader: { readonly source: string }) => string;
  /** The score of a child, after its `on_absent`. */
  readonly child: (child: Child) => string;
  /**
   * The least score of a child, after its `on_absent`, among all candidates that the vetoes leave; NaN is left out, and
   * where nothing else is there it is absent. With `greatest` it is all that the formula of a unit of the scope `set` may
   * know of the other candidates; a unit of another scope that reads either has no formula.
   */
  readonly least: (child: Child) => string;
  /** The greatest score of a child, likewise. */
  readonly greatest: (child: Child) => string;
}

/** What a unit class declares besides its params. */
export interface UnitFacts<P> {
  /** One line for lists and docs: what it favours, refuses or computes. */
  readonly summary: string;
  /** The bounds of the score. Without them it is neither checked nor used for pruning. */
  readonly range?: ParamDependent<P, ScoreRange>;
  /**
   * The cost of scoring one candidate, relative to other scorers; 1 by default. About 1 for a field and arithmetic, 100
   * for comparing vectors or reading a long text, 10,000 for embedding one, 1,000,000 for the answer of a model. The
   * cost of its children is added. From 100 on, a scorer with `compile` is called once for each candidate and run, and its
   * column is kept; without a declared cost the engine measures it, and does so above 10 µs. From 10,000 on, a scorer with
   * a range runs in the second phase: only on candidates that can still be selected.
   */
  readonly cost?: ParamDependent<P, number>;
  /**
   * `params`: of a candidate it reads nothing but what its params name, by paths, expressions and entries inside it. Then
   * only those columns of a file are read for it. Without it, it may read anything.
   */
  readonly reads?: 'params';
  /** For a unit with `prepare`; `set` by default. With children, the widest of all applies. */
  readonly scope?: ParamDependent<P, BatchScope>;
  /** The templates of the reasons that it may note, by id: `'{age:duration} old'`. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** The default of its entries' `on_absent`: `skip` (a veto: pass) when left out. */
  readonly onAbsent?: OnAbsent;
  /** For a selector: whether it may have to exceed its limits. The profile's `overflow` decides then. */
  readonly overflows?: ParamDependent<P, boolean>;
  /**
   * For a selector: whether it keeps `limits.groups`, so that `select.per` holds while it chooses. Otherwise it is only
   * given the best of each group. A row whose group is full gets its reason from the engine.
   */
  readonly groups?: true;
  /**
   * For a veto or a scorer: the same as one CEL expression of `candidate` and `now`, operation by operation, so that both
   * have the same bits: with it a database can do the unit's work. Where the expression fails or gives no finite number,
   * as `0 / 0`, it says nothing, and it does so wherever the unit fails. Undefined where there is none for these params.
   */
  readonly formula?: (params: P, parts: FormulaParts) => string | undefined;
  /** Present when the unit keeps a memory. Runs that share one wait for each other. */
  readonly memory?: MemoryFacts<P>;
}

/** The static description of a unit class: its kind, the schema of its params, its facts. */
export interface UnitMeta<S extends z.ZodType = z.ZodType> extends UnitFacts<never> {
  readonly kind: UnitKind;
  readonly params: S;
}

const defineKind =
  (kind: UnitKind) =>
  <S extends z.ZodType>(meta: UnitFacts<z.output<S>> & { readonly params: S }): UnitMeta<S> => ({ ...meta, kind });

/** Describes a veto (Tier 1): refuses a candidate or passes it. */
export const defineVeto = defineKind('veto');
/** Describes a scorer (Tier 2) or a measure: gives a number or abstains. */
export const defineScorer = defineKind('scorer');
/** Describes a signal: gives one value a run. */
export const defineSignal = defineKind('signal');
/** Describes a generator: gives the focus objects of a strategy. */
export const defineGenerator = defineKind('generator');
/** Describes a selector: packs or places rows. */
export const defineSelector = defineKind('selector');
/** Describes a report: computes a value of the ranking as a whole. */
export const defineReport = defineKind('report');

/** The type of a unit class's params, as parsed by its schema. */
export type ParamsOf<C extends { readonly meta: { readonly params: z.ZodType } }> = z.output<C['meta']['params']>;

/** What to do where a scorer abstains: leave its weight out of the row, use a number, or refuse the candidate. */
export type OnAbsent = number | 'skip' | 'refuse';

const childShape = z.strictObject({
  id: z.string().min(1).optional().describe('Its name in the score matrix; its class or expression when not said.'),
  class: z.string().min(1).optional().describe('The scorer class, looked up as an entry’s is.'),
  expr: z.string().min(1).optional().describe('A CEL expression, in place of a class.'),
  weight: z.number().default(1).describe('Its weight among its siblings.'),
  on_absent: z
    .union([z.number(), z.literal(['skip', 'refuse'])])
    .optional()
    .describe('What stands in where it abstains; the class decides when not said.'),
  params: z.unknown().optional().describe('The parameters of the class.'),
});

/** The same symbol in every copy of the library: a plugin may bring its own. */
const BRAND = Symbol.for('assize:child');

/** An entry among the params of a unit. The engine resolves, validates, injects and prepares it. */
export class Child {
  readonly [BRAND] = true;

  /**
   * @param spec the entry as written, its shape checked
   * @param raw  the object of the profile itself, by which its place in the file is found
   */
  constructor(
    readonly spec: Readonly<z.output<typeof childShape>>,
    readonly raw: object,
  ) {}

  get weight(): number {
    return this.spec.weight;
  }
}

/** Whether a value is a `Child`, of any copy of the library. */
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
    return new Child(parsed.data, raw);
  });

/** A param that is an entry: `class` with `params`, or `expr`; `weight`, `on_absent`. */
export const child = () => childSchema;

/** A param that is a list of entries, at least one. */
export const children = () => z.array(childSchema).min(1);
