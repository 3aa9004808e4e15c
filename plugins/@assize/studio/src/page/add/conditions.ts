import type { FieldFacts, FieldType } from './field-facts.js';
import { fieldText, missingText } from './field-text.js';

/** How a condition compares a field. */
export type Operator = 'less' | 'more' | 'is' | 'is not' | 'contains' | 'yes' | 'no' | 'before' | 'after' | 'missing';

/** A condition on a field, as a person chooses it. */
export interface Condition {
  readonly field: FieldFacts;
  readonly operator: Operator;
  /** A number or a day as text; for `is`, `is not` and `contains` any of these texts. */
  readonly values: readonly string[];
}

/** The operators of a type, the most common one first. */
export const OPERATORS: Readonly<Record<FieldType, readonly Operator[]>> = {
  number: ['less', 'more', 'is', 'missing'],
  text: ['is', 'is not', 'contains', 'missing'],
  'yes/no': ['yes', 'no', 'missing'],
  date: ['before', 'after', 'missing'],
  list: ['contains', 'missing'],
};

/** The operators in words, after the name of a field. */
export const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  less: 'is less than',
  more: 'is more than',
  is: 'is',
  'is not': 'is not',
  contains: 'contains',
  yes: 'is yes',
  no: 'is no',
  before: 'is before',
  after: 'is after',
  missing: 'is missing',
};

/** Whether the operator needs a value. */
export const needsValue = (operator: Operator): boolean => !['yes', 'no', 'missing'].includes(operator);

/** A condition with a first operator and value for the type of a field. */
export function firstCondition(field: FieldFacts): Condition {
  const operator = OPERATORS[field.type][0]!;
  return { field, operator, values: firstValues(field, operator) };
}

/** The values that a condition starts with: the middle of numbers and dates, the most frequent text. */
export function firstValues({ middle, frequent, type }: FieldFacts, operator: Operator): readonly string[] {
  if (!needsValue(operator)) return [];
  if (type === 'number') return [String(middle ?? 0)];
  if (type === 'date') return [new Date(middle ?? 0).toISOString().slice(0, 10)];
  return frequent.slice(0, 1).map(({ value }) => value);
}

/** The expression of a condition; undefined if its value is not complete. */
export function conditionText({ field, operator, values }: Condition): string | undefined {
  const text = fieldText(field.keys);
  const [first = ''] = values;
  if (operator === 'missing') return missingText(field.keys);
  if (operator === 'yes') return `${text} == true`;
  if (operator === 'no') return `${text} == false`;
  if (first === '') return undefined;
  if (field.type === 'number') {
    const sign = { less: '<', more: '>', is: '==' }[operator as 'less' | 'more' | 'is'];
    return Number.isFinite(Number(first)) ? `${text} ${sign} ${Number(first)}` : undefined;
  }
  if (operator === 'before' || operator === 'after') {
    return `timestamp(${text}) ${operator === 'before' ? '<' : '>'} timestamp(${JSON.stringify(first)})`;
  }
  return textCondition(text, field.type === 'list', operator, values);
}

function textCondition(text: string, isList: boolean, operator: Operator, values: readonly string[]): string {
  const list = `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  const [first = ''] = values;
  if (isList) {
    return values.length === 1 ? `${JSON.stringify(first)} in ${text}` : `${text}.exists(item, item in ${list})`;
  }
  if (operator === 'contains') {
    return values.map((value) => `${text}.lower().contains(${JSON.stringify(value.toLowerCase())})`).join(' || ');
  }
  if (values.length === 1) return `${text} ${operator === 'is' ? '==' : '!='} ${JSON.stringify(first)}`;
  return operator === 'is' ? `${text} in ${list}` : `!(${text} in ${list})`;
}

/** A condition in words: `genre is “Drama” or “Comedy”`. */
export function conditionWords({ field, operator, values }: Condition): string {
  const words = `${field.name} ${OPERATOR_WORDS[operator]}`;
  if (!needsValue(operator)) return words;
  const isQuoted = field.type === 'text' || field.type === 'list';
  return `${words} ${values.map((value) => (isQuoted ? `“${value}”` : value)).join(' or ')}`;
}

/** The condition whose expression is this text; undefined if a person wrote another one. */
export function conditionIn(text: string, fields: readonly FieldFacts[]): Condition | undefined {
  const quoted = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(([literal]) => readText(literal));
  const number = /(-?\d[\d.e+-]*)$/.exec(text)?.[1];
  for (const field of fields) {
    if (!text.includes(fieldText(field.keys)) && text !== missingText(field.keys)) continue;
    const ofKeys = new Set(field.keys);
    const choices = [[], ...(number === undefined ? [] : [[number]]), quoted, quoted.filter((one) => !ofKeys.has(one))];
    for (const operator of OPERATORS[field.type]) {
      for (const values of choices) {
        const condition = { field, operator, values };
        if (conditionText(condition) === text) return condition;
      }
    }
  }
  return undefined;
}

function readText(literal: string): readonly string[] {
  try {
    return [String(JSON.parse(literal))];
  } catch {
    return [];
  }
}
