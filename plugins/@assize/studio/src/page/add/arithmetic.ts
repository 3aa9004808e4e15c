import type { FieldFacts } from './field-facts.js';
import { fieldText } from './field-text.js';

/** The calculations of a field with a number. */
export const SIGNS = ['/', '*', '+', '-'] as const;
export type Sign = (typeof SIGNS)[number];

export const SIGN_WORDS: Readonly<Record<Sign, string>> = {
  '/': 'divided by',
  '*': 'multiplied by',
  '+': 'plus',
  '-': 'minus',
};

/** A field and a number: `candidate.rating / 5`. */
export interface Arithmetic {
  readonly field: FieldFacts;
  readonly sign: Sign;
  readonly number: number;
}

/** The expression of a calculation; undefined if it has no number. A division by 0 has none either. */
export function arithmeticText({ field, sign, number }: Arithmetic): string | undefined {
  if (!Number.isFinite(number) || (sign === '/' && number === 0)) return undefined;
  return `${fieldText(field.keys)} ${sign} ${number < 0 ? `(${number})` : number}`;
}

/** The calculation that an expression is; undefined if it is another one. A field alone is divided by 1. */
export function arithmeticIn(text: string, fields: readonly FieldFacts[]): Arithmetic | undefined {
  const [, name = '', sign, number] = /^(.*?)\s*(?:([-+*/])\s*\(?(-?\d+(?:\.\d+)?)\)?)?$/.exec(text.trim()) ?? [];
  const field = fields.find(({ keys, type }) => type === 'number' && fieldText(keys) === name);
  if (!field) return undefined;
  return { field, sign: SIGNS.find((one) => one === sign) ?? '/', number: number === undefined ? 1 : Number(number) };
}
