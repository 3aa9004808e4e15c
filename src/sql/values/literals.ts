import type { Dialect } from '../dialects/dialect.js';
import { Untranslatable } from '../untranslatable.js';
import { NOT_ODD, type SqlBool, type SqlKind, type SqlNumber, type SqlText, type SqlValue } from './values.js';

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
  odd: NOT_ODD,
  constant: value,
});

/** A number of known magnitude with the bits that the engine has. */
export const exactNumber = (sql: string, most: number): SqlNumber => {
  return { kind: 'number', sql, error: undefined, most, odd: NOT_ODD };
};

/** A number that is absent on every row. */
export const absentNumber = ({ types }: Dialect): SqlNumber => exactNumber(`CAST(NULL AS ${types.number})`, 0);

export const constantBool = (value: boolean): SqlBool => ({
  kind: 'bool',
  sql: value ? 'TRUE' : 'FALSE',
  odd: NOT_ODD,
});

export const constantText = ({ text, types }: Dialect, value: string): SqlText => ({
  kind: 'string',
  sql: `CAST(${text(value)} AS ${types.text})`,
  odd: NOT_ODD,
});

/** A value that is absent on every row. */
export function absent(dialect: Dialect, kind: SqlKind): SqlValue {
  if (kind === 'number') return absentNumber(dialect);
  const { types } = dialect;
  return { kind, sql: `CAST(NULL AS ${kind === 'bool' ? types.bool : types.text})`, odd: NOT_ODD };
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
    return { ...absentNumber(dialect), odd: ['TRUE'] };
  }
  if (kind === 'number' && typeof value === 'number') return constantNumber(dialect, value);
  if (kind === 'bool' && typeof value === 'boolean') return constantBool(value);
  if (kind === 'string' && typeof value === 'string') return constantText(dialect, value);
  throw new Untranslatable('a constant in it is of another type than what reads it');
}
