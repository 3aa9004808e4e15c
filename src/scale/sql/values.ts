import { type Dialect, Untranslatable } from './dialect.js';

/**
 * Conditions, none of them NULL, under which SQL can promise nothing about a row. To name too many is always safe: the
 * process judges such a row itself.
 */
export type Uncertain = readonly string[];

export const NEVER_UNCERTAIN: Uncertain = [];

/** A number in SQL; NULL is absent. */
export interface SqlNumber {
  readonly kind: 'number';
  readonly sql: string;
  /**
   * What it may differ by from the number that the engine computes, as SQL, never below 0; undefined if both have
   * the same bits.
   */
  readonly error: string | undefined;
  /** The greatest magnitude that it can have on a row that is not uncertain. */
  readonly most: number;
  readonly uncertain: Uncertain;
  /** The number itself, if it is the same on every row. */
  readonly constant?: number;
}

/** True or false in SQL, of three values; NULL is absent. */
export interface SqlBool {
  readonly kind: 'bool';
  readonly sql: string;
  readonly uncertain: Uncertain;
}

/** A text in SQL; NULL is absent. */
export interface SqlText {
  readonly kind: 'string';
  readonly sql: string;
  readonly uncertain: Uncertain;
}

export type SqlValue = SqlNumber | SqlBool | SqlText;
export type SqlKind = SqlValue['kind'];

/** The conditions of several values. */
export const uncertainOf = (...values: readonly { readonly uncertain: Uncertain }[]): Uncertain =>
  values.flatMap(({ uncertain }) => uncertain);

/** Conditions that hold only where another does, which is never NULL. */
export const uncertainWhere = (condition: string, uncertain: Uncertain): Uncertain =>
  uncertain.map((one) => `(${condition} AND ${one})`);

/** A condition that is false if it would be NULL. */
export const orFalse = (condition: string): string => `coalesce(${condition}, FALSE)`;
export const orTrue = (condition: string): string => `coalesce(${condition}, TRUE)`;

/** All conditions as one. */
export const anyOf = (uncertain: Uncertain): string =>
  uncertain.length === 0 ? 'FALSE' : `(${[...new Set(uncertain)].join(' OR ')})`;

/** What is made of a constant is a constant only if that is said. */
export const withoutConstant = ({ kind, sql, error, most, uncertain }: SqlNumber): SqlNumber => ({
  kind,
  sql,
  error,
  most,
  uncertain,
});

/** A sum of errors, of which undefined is none. */
export const sum = (...errors: readonly (string | undefined)[]): string =>
  errors.filter((error) => error !== undefined).join(' + ');

/** A number as SQL. Never as digits alone: `0.1` is a decimal to most databases, and `1 / 3` a whole number. */
export function numberLiteral({ types }: Dialect, value: number): string {
  if (!Number.isFinite(value)) throw new Untranslatable(`${value} has no literal`);
  return `CAST('${value}' AS ${types.number})`;
}

export const constantNumber = (dialect: Dialect, value: number): SqlNumber => ({
  kind: 'number',
  sql: numberLiteral(dialect, value),
  error: undefined,
  most: Math.abs(value),
  uncertain: NEVER_UNCERTAIN,
  constant: value,
});

/** A number of known magnitude with the bits that the engine has. */
export const exactNumber = (sql: string, most: number): SqlNumber => {
  return { kind: 'number', sql, error: undefined, most, uncertain: NEVER_UNCERTAIN };
};

/** A number that is absent on every row. */
export const absentNumber = ({ types }: Dialect): SqlNumber => exactNumber(`CAST(NULL AS ${types.number})`, 0);

const constantBool = (value: boolean): SqlBool => ({
  kind: 'bool',
  sql: value ? 'TRUE' : 'FALSE',
  uncertain: NEVER_UNCERTAIN,
});

const constantText = ({ text, types }: Dialect, value: string): SqlText => ({
  kind: 'string',
  sql: `CAST(${text(value)} AS ${types.text})`,
  uncertain: NEVER_UNCERTAIN,
});

/** A value that is absent on every row. */
export function absent(dialect: Dialect, kind: SqlKind): SqlValue {
  if (kind === 'number') return absentNumber(dialect);
  const { types } = dialect;
  return { kind, sql: `CAST(NULL AS ${kind === 'bool' ? types.bool : types.text})`, uncertain: NEVER_UNCERTAIN };
}

/** The kind of a plain value; undefined for a list, a map and anything else. */
export function kindOfValue(value: unknown): SqlKind | undefined {
  const type = typeof value;
  if (type === 'boolean') return 'bool';
  return type === 'number' || type === 'string' ? type : undefined;
}

/** A value that is the same on every row, and must be of a kind. */
export function constant(dialect: Dialect, kind: SqlKind, value: unknown): SqlValue {
  if (value === undefined || value === null) return absent(dialect, kind);
  // What is no number says nothing of any row.
  if (kind === 'number' && typeof value === 'number' && !Number.isFinite(value)) {
    return { ...absentNumber(dialect), uncertain: ['TRUE'] };
  }
  if (kind === 'number' && typeof value === 'number') return constantNumber(dialect, value);
  if (kind === 'bool' && typeof value === 'boolean') return constantBool(value);
  if (kind === 'string' && typeof value === 'string') return constantText(dialect, value);
  throw new Untranslatable('a constant in it does not have the type that its reader needs');
}

/** The names that `let` gives; a text that only looks like one costs a layer and changes nothing. */
const NAME = /\bv(\d+)\b/g;

interface NamedValue {
  readonly name: string;
  readonly sql: string;
  readonly depth: number;
}

/**
 * Values that are computed once and read by name: SQL has no `let`, so each becomes a column of a subquery, below those
 * that read it. Without names a statement would grow with each reading, exponentially in the depth of an expression.
 */
export class Layers {
  readonly #values: NamedValue[] = [];
  readonly #names = new Map<string, string>();

  /** The name of a value; the value itself if it is a name, a literal or NULL. */
  let(sql: string): string {
    if (/^v\d+$/.test(sql) || /^CAST\('[^']*' AS [^()']*\)$/.test(sql)) return sql;
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    const name = `v${this.#values.length}`;
    let depth = 0;
    for (const [, index] of sql.matchAll(NAME)) {
      depth = Math.max(depth, (this.#values[Number(index)]?.depth ?? -1) + 1);
    }
    this.#values.push({ name, sql, depth });
    this.#names.set(sql, name);
    return name;
  }

  /**
   * The values around a query, one subquery a layer.
   *
   * @param fence what keeps a planner from merging a subquery with the next, which would compute its values again
   */
  around(query: string, fence: string): string {
    const depth = Math.max(-1, ...this.#values.map((value) => value.depth));
    let around = query;
    for (let layer = 0; layer <= depth; layer++) {
      const columns = this.#values.filter((value) => value.depth === layer).map(({ name, sql }) => `${sql} AS ${name}`);
      around = `SELECT d${layer}.*,\n  ${columns.join(',\n  ')}\nFROM (\n${around}\n) AS d${layer}${fence}`;
    }
    return around;
  }
}

/**
 * What a library's exp, ln, log2 or pow may miss the engine's by, relative to the result: 64 units in the last place.
 * V8's are within one of the true value, those of glibc and Java within one, a quotient of two logarithms within four.
 */
export const LIBRARY = 2 ** -46;
/** What rounding may add where two sides round different numbers: one unit in the last place, and one of the least. */
export const ROUNDING = 2 ** -51;
export const TINY = 1e-300;
/** A result of a greater magnitude is uncertain, long before it overflows. */
export const LIMIT = 1e250;
/** Between these, exp neither overflows nor vanishes. */
export const EXP_LIMIT = 600;
