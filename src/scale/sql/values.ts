import { type Dialect, Untranslatable } from './dialect.js';

/**
 * Conditions under which SQL is uncertain about a row, so that the process evaluates it. None is NULL. Extra conditions
 * are always safe.
 */
export type Uncertain = readonly string[];

export const NEVER_UNCERTAIN: Uncertain = [];

/** A number in SQL; NULL if absent. */
export interface SqlNumber {
  readonly kind: 'number';
  readonly sql: string;
  /** The SQL of the maximum difference from the engine's number, at least 0; undefined if both have the same bits. */
  readonly error: string | undefined;
  /** The maximum magnitude on a row that is not uncertain. */
  readonly most: number;
  readonly uncertain: Uncertain;
  /** The number, if it is the same on every row. */
  readonly constant?: number;
}

/** A three-valued boolean in SQL; NULL if absent. */
export interface SqlBool {
  readonly kind: 'bool';
  readonly sql: string;
  readonly uncertain: Uncertain;
}

/** A string in SQL; NULL if absent. */
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

/** Limits conditions by another one that is never NULL. */
export const uncertainWhere = (condition: string, uncertain: Uncertain): Uncertain =>
  uncertain.map((one) => `(${condition} AND ${one})`);

/** Replaces NULL by false. */
export const orFalse = (condition: string): string => `coalesce(${condition}, FALSE)`;
export const orTrue = (condition: string): string => `coalesce(${condition}, TRUE)`;

/** Joins conditions by OR. */
export const anyOf = (uncertain: Uncertain): string =>
  uncertain.length === 0 ? 'FALSE' : `(${[...new Set(uncertain)].join(' OR ')})`;

/** Removes `constant`, which does not apply to a number derived from it. */
export const withoutConstant = ({ kind, sql, error, most, uncertain }: SqlNumber): SqlNumber => ({
  kind,
  sql,
  error,
  most,
  uncertain,
});

/** A sum of errors; undefined means 0. */
export const sum = (...errors: readonly (string | undefined)[]): string =>
  errors.filter((error) => error !== undefined).join(' + ');

/** A number as SQL. Never only its digits: in most databases `0.1` is a decimal, and `1 / 3` is 0. */
export function numberLiteral({ types, isPlain }: Dialect, value: number): string {
  if (!Number.isFinite(value)) throw new Untranslatable(`${value} has no literal`);
  if (isPlain) return plainNumber(value);
  return `CAST('${value}' AS ${types.number})`;
}

/** A number that no database takes for an integer, which would divide without a remainder. */
function plainNumber(value: number): string {
  const digits = String(Math.abs(value));
  const decimal = /[.e]/.test(digits) ? digits : `${digits}.0`;
  return value < 0 ? `(-${decimal})` : decimal; // in brackets: `--` starts a comment
}

export const constantNumber = (dialect: Dialect, value: number): SqlNumber => ({
  kind: 'number',
  sql: numberLiteral(dialect, value),
  error: undefined,
  most: Math.abs(value),
  uncertain: NEVER_UNCERTAIN,
  constant: value,
});

/** A number of known magnitude and without error. */
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

const constantText = ({ text, types, isPlain }: Dialect, value: string): SqlText => ({
  kind: 'string',
  sql: isPlain ? text(value) : `CAST(${text(value)} AS ${types.text})`,
  uncertain: NEVER_UNCERTAIN,
});

/** A value that is absent on every row. */
export function absent(dialect: Dialect, kind: SqlKind): SqlValue {
  if (kind === 'number') return absentNumber(dialect);
  const { types } = dialect;
  return { kind, sql: `CAST(NULL AS ${kind === 'bool' ? types.bool : types.text})`, uncertain: NEVER_UNCERTAIN };
}

/** The kind of a value; undefined for lists, maps and other values. */
export function kindOfValue(value: unknown): SqlKind | undefined {
  const type = typeof value;
  if (type === 'boolean') return 'bool';
  return type === 'number' || type === 'string' ? type : undefined;
}

/** A value that is the same on every row, as a value of the given kind. */
export function constant(dialect: Dialect, kind: SqlKind, value: unknown): SqlValue {
  if (value === undefined || value === null) return absent(dialect, kind);
  // NaN and infinities make every row uncertain.
  if (kind === 'number' && typeof value === 'number' && !Number.isFinite(value)) {
    return { ...absentNumber(dialect), uncertain: ['TRUE'] };
  }
  if (kind === 'number' && typeof value === 'number') return constantNumber(dialect, value);
  if (kind === 'bool' && typeof value === 'boolean') return constantBool(value);
  if (kind === 'string' && typeof value === 'string') return constantText(dialect, value);
  throw new Untranslatable('a constant in it does not have the type that its reader needs');
}

/** The names that `let` returns. A text that only looks like a name costs a layer but is harmless. */
const NAME = /\bv(\d+)\b/g;

interface NamedValue {
  readonly name: string;
  readonly sql: string;
  readonly depth: number;
}

/**
 * Names values so that they are computed once. SQL has no `let`: each value becomes a column of a subquery below its
 * readers. Without names, the statement would be exponential in the depth of an expression.
 */
export class Layers {
  readonly #values: NamedValue[] = [];
  readonly #names = new Map<string, string>();

  /** The name of a value; the value itself if it is a name or a literal. */
  let(sql: string): string {
    const [, inner] = /^\((v\d+)\)$/.exec(sql) ?? [];
    if (inner !== undefined) return inner;
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
   * Wraps a query in one subquery for each layer of values.
   *
   * @param fence prevents a planner from merging subqueries, which would compute values again
   * @param readers the SQL that reads the values. If given, a value with a single reader is written into it, because each
   *   layer takes time for every row
   */
  around(query: string, fence: string, readers?: readonly string[]): string {
    const values = readers ? this.#inlined(readers) : this.#values;
    const depth = Math.max(-1, ...values.map((value) => value.depth));
    let around = query;
    for (let layer = 0; layer <= depth; layer++) {
      const columns = values.filter((value) => value.depth === layer).map(({ name, sql }) => `${sql} AS ${name}`);
      around = `SELECT d${layer}.*,\n  ${columns.join(',\n  ')}\nFROM (\n${around}\n) AS d${layer}${fence}`;
    }
    return around;
  }

  /** The values with more than one reader, or with a reader outside. */
  #inlined(readers: readonly string[]): readonly NamedValue[] {
    const uses = this.#values.map(() => 0);
    for (const [sql, weight] of [
      ...readers.map((one) => [one, 2] as const),
      ...this.#values.map((one) => [one.sql, 1] as const),
    ])
      for (const index of readIn(sql)) uses[index] = (uses[index] ?? 0) + weight;
    const inlined: NamedValue[] = [];
    const kept: NamedValue[] = [];
    for (const [k, { name, sql }] of this.#values.entries()) {
      let depth = 0;
      const own = sql.replaceAll(NAME_OR_TEXT, (part: string, index: string | undefined) => {
        const read = index === undefined ? undefined : inlined[Number(index)];
        if (!read) return part;
        const isHere = uses[Number(index)] === 1;
        depth = Math.max(depth, isHere ? read.depth : read.depth + 1);
        return isHere ? `(${read.sql})` : part;
      });
      inlined.push({ name, sql: own, depth });
      if (uses[k]! > 1) kept.push(inlined.at(-1)!);
    }
    return kept;
  }
}

/** Names of values, and texts, in which a name has no meaning. */
const NAME_OR_TEXT = /'(?:[^']|'')*'|\bv(\d+)\b/g;

const readIn = (sql: string): readonly number[] =>
  Array.from(sql.matchAll(NAME_OR_TEXT), ([, index]) => index).flatMap((index) =>
    index === undefined ? [] : Number(index),
  );

/**
 * The maximum relative difference between the engine's exp, ln, log2 or pow and a database's: 64 units in the last
 * place. V8, glibc and Java are within one unit of the true value; a quotient of two logarithms is within four.
 */
export const LIBRARY = 2 ** -46;
/** The maximum rounding difference: one unit in the last place, plus `TINY` near 0. */
export const ROUNDING = 2 ** -51;
export const TINY = 1e-300;
/** A row is uncertain if a result exceeds this magnitude, far below overflow. */
export const LIMIT = 1e250;
/** Within ± this argument, exp neither overflows nor underflows. */
export const EXP_LIMIT = 600;
