import type { FieldFacts, FieldType } from './field-facts.js';
import { fieldText, missingText } from './field-text.js';

/** How a condition compares a field. */
export type Operator =
  | 'less'
  | 'more'
  | 'at least'
  | 'at most'
  | 'is'
  | 'is not'
  | 'contains'
  | 'yes'
  | 'no'
  | 'before'
  | 'after'
  | 'missing'
  | 'present';

/** A condition on a field, as a person chooses it. */
export interface Condition {
  readonly field: FieldFacts;
  readonly operator: Operator;
  /** A number or a day as text; for `is`, `is not` and `contains` any of these texts. */
  readonly values: readonly string[];
  /** The expression in the file, if it is another text with the same meaning. */
  readonly written?: string;
}

/** The operators of a type, the most common one first. */
export const OPERATORS: Readonly<Record<FieldType, readonly Operator[]>> = {
  number: ['less', 'more', 'at least', 'at most', 'is', 'is not', 'missing', 'present'],
  text: ['is', 'is not', 'contains', 'missing', 'present'],
  'yes/no': ['yes', 'no', 'missing', 'present'],
  date: ['before', 'after', 'missing', 'present'],
  list: ['contains', 'missing', 'present'],
};

/** The operators in words, after the name of a field. */
export const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  less: 'is less than',
  more: 'is more than',
  'at least': 'is at least',
  'at most': 'is at most',
  is: 'is',
  'is not': 'is not',
  contains: 'contains',
  yes: 'is yes',
  no: 'is no',
  before: 'is before',
  after: 'is after',
  missing: 'is missing',
  present: 'has a value',
};

/** The signs of the comparisons of numbers. */
const SIGNS: Readonly<Partial<Record<Operator, string>>> = {
  less: '<',
  more: '>',
  'at least': '>=',
  'at most': '<=',
  is: '==',
  'is not': '!=',
};

/** Whether the operator needs a value. */
export const needsValue = (operator: Operator): boolean => !['yes', 'no', 'missing', 'present'].includes(operator);

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
export function conditionText({ field, operator, values, written }: Condition): string | undefined {
  if (written !== undefined) return written;
  const text = fieldText(field.keys);
  const [first = ''] = values;
  if (operator === 'missing') return missingText(field.keys);
  if (operator === 'present') return missingText(field.keys).slice(1);
  if (operator === 'yes') return `${text} == true`;
  if (operator === 'no') return `${text} == false`;
  if (first === '') return undefined;
  if (field.type === 'number') {
    return Number.isFinite(Number(first)) ? `${text} ${SIGNS[operator]} ${Number(first)}` : undefined;
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

/** The condition that an expression is, in any spacing and quotes; undefined if it is not one comparison of a field. */
export function conditionIn(written: string, fields: readonly FieldFacts[]): Condition | undefined {
  const text = usual(written);
  const quoted = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(([literal]) => readText(literal));
  const number = /(-?\d[\d.e+-]*)$/.exec(text)?.[1];
  for (const field of fields) {
    const name = fieldText(field.keys);
    if (!text.includes(name) && !missingText(field.keys).includes(text.replace(/^!/, ''))) continue;
    const ofKeys = new Set(field.keys);
    const choices = [[], ...(number === undefined ? [] : [[number]]), quoted, quoted.filter((one) => !ofKeys.has(one))];
    for (const operator of OPERATORS[field.type]) {
      for (const values of choices) {
        const condition = { field, operator, values };
        const own = conditionText(condition);
        if (own === written) return condition;
        if (own !== undefined && usual(own) === text) return { ...condition, written };
      }
    }
    const other = otherForms(name, field).find(([form]) => form === text);
    if (other) return { field, operator: other[1], values: [], written };
  }
  return undefined;
}

/** Other expressions of a field, and the comparisons that they are. */
const otherForms = (name: string, { type }: FieldFacts): readonly (readonly [text: string, operator: Operator])[] => [
  [`has(${name})`, 'present'],
  [`!has(${name})`, 'missing'],
  ...(type === 'yes/no'
    ? ([
        [name, 'yes'],
        [`!${name}`, 'no'],
        [`${name} != true`, 'no'],
      ] as const)
    : []),
];

/** Texts in single quotes, texts in double quotes, numbers with an empty fraction, blanks, and signs with blanks. */
const FORMS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(\d)\.0+(?![\d])|\s*([<>=!]=|[<>])\s*|\s+/g;

/** An expression in the spacing and quotes of this page. */
const usual = (text: string): string =>
  text.trim().replace(FORMS, (found: string, digit: string | undefined, sign: string | undefined) => {
    if (found.startsWith('"')) return found;
    if (found.startsWith("'")) return `"${found.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`;
    return digit ?? (sign === undefined ? ' ' : ` ${sign} `);
  });

function readText(literal: string): readonly string[] {
  try {
    return [String(JSON.parse(literal))];
  } catch {
    return [];
  }
}
