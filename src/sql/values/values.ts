/**
 * Conditions, none of them NULL, under which SQL can promise nothing about a row. To name too many is always safe: the
 * process judges such a row itself.
 */
export type Odd = readonly string[];

export const NOT_ODD: Odd = [];

/** A number in SQL; NULL is absent. */
export interface SqlNumber {
  readonly kind: 'number';
  readonly sql: string;
  /**
   * What it may differ by from the number that the engine computes, as SQL, never below 0; undefined where both have
   * the same bits.
   */
  readonly error: string | undefined;
  /** The greatest magnitude that it can have on a row that is not odd. */
  readonly most: number;
  readonly odd: Odd;
  /** The number itself, where it is the same on every row. */
  readonly constant?: number;
}

/** True or false in SQL, of three values; NULL is absent. */
export interface SqlBool {
  readonly kind: 'bool';
  readonly sql: string;
  readonly odd: Odd;
}

/** A text in SQL; NULL is absent. */
export interface SqlText {
  readonly kind: 'string';
  readonly sql: string;
  readonly odd: Odd;
}

export type SqlValue = SqlNumber | SqlBool | SqlText;
export type SqlKind = SqlValue['kind'];

/** The conditions of several values. */
export const oddOf = (...values: readonly { readonly odd: Odd }[]): Odd => values.flatMap(({ odd }) => odd);

/** Conditions that hold only where another does, which is never NULL. */
export const oddWhere = (condition: string, odd: Odd): Odd => odd.map((one) => `(${condition} AND ${one})`);

/** A condition that is false where it would be NULL. */
export const orFalse = (condition: string): string => `coalesce(${condition}, FALSE)`;
export const orTrue = (condition: string): string => `coalesce(${condition}, TRUE)`;

/** All conditions as one. */
export const anyOf = (odd: Odd): string => (odd.length === 0 ? 'FALSE' : `(${[...new Set(odd)].join(' OR ')})`);

/** What is made of a constant is a constant only where that is said. */
export const withoutConstant = ({ kind, sql, error, most, odd }: SqlNumber): SqlNumber => ({
  kind,
  sql,
  error,
  most,
  odd,
});

/** A sum of errors, of which undefined is none. */
export const sum = (...errors: readonly (string | undefined)[]): string =>
  errors.filter((error) => error !== undefined).join(' + ');
