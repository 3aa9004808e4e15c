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
  | 'without'
  | 'starts'
  | 'ends'
  | 'contains exactly'
  | 'is in any case'
  | 'longer'
  | 'shorter'
  | 'empty'
  | 'filled'
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
  /** A number or a day as text; of a text or list any of these texts, or one number of letters or items. */
  readonly values: readonly string[];
  /** The expression in the file, if it is another text with the same meaning. */
  readonly written?: string;
}

/** The operators of a type, the most common one first. */
export const OPERATORS: Readonly<Record<FieldType, readonly Operator[]>> = {
  number: ['less', 'more', 'at least', 'at most', 'is', 'is not', 'missing', 'present'],
  text: [
    ...(['is', 'is not', 'contains', 'without', 'starts', 'ends', 'is in any case', 'contains exactly'] as const),
    ...(['longer', 'shorter', 'empty', 'filled', 'missing', 'present'] as const),
  ],
  'yes/no': ['yes', 'no', 'missing', 'present'],
  date: ['before', 'after', 'missing', 'present'],
  list: ['contains', 'longer', 'shorter', 'empty', 'filled', 'missing', 'present'],
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
  without: 'does not contain',
  starts: 'starts with',
  ends: 'ends with',
  'contains exactly': 'contains exactly',
  'is in any case': 'is, in capital or small letters,',
  longer: 'is longer than',
  shorter: 'is shorter than',
  empty: 'is empty',
  filled: 'is not empty',
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

/** The comparisons of the number of letters or items. */
const SIZE_SIGNS: Readonly<Partial<Record<Operator, string>>> = {
  longer: '> ',
  shorter: '< ',
  empty: '== 0',
  filled: '> 0',
};

/** Whether the operator needs a value. */
export const needsValue = (operator: Operator): boolean =>
  !['yes', 'no', 'missing', 'present', 'empty', 'filled'].includes(operator);

/** Whether the value is a number of letters or items. */
export const countsParts = (operator: Operator): boolean => operator === 'longer' || operator === 'shorter';

/** The first numbers of letters and of items. */
const FIRST_SIZES = { text: '20', list: '1' } as const;

/** A condition with a first operator and value for the type of a field. */
export function firstCondition(field: FieldFacts): Condition {
  const operator = OPERATORS[field.type][0]!;
  return { field, operator, values: firstValues(field, operator) };
}

/** The values that a condition starts with: the middle of numbers and dates, the most frequent text. */
export function firstValues({ middle, frequent, type }: FieldFacts, operator: Operator): readonly string[] {
  if (!needsValue(operator)) return [];
  if (countsParts(operator)) return [type === 'list' ? FIRST_SIZES.list : FIRST_SIZES.text];
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
  if (operator === 'empty' || operator === 'filled') return `size(${text}) ${SIZE_SIGNS[operator]}`;
  if (first === '') return undefined;
  if (countsParts(operator)) {
    return /^\d+$/.test(first.trim()) ? `size(${text}) ${SIZE_SIGNS[operator]}${Number(first)}` : undefined;
  }
  if (field.type === 'number') {
    return Number.isFinite(Number(first)) ? `${text} ${SIGNS[operator]} ${Number(first)}` : undefined;
  }
  if (operator === 'before' || operator === 'after') {
    return `timestamp(${text}) ${operator === 'before' ? '<' : '>'} timestamp(${JSON.stringify(first)})`;
  }
  return textCondition(text, field.type === 'list', operator, values);
}

/** The comparisons of a text with one value. */
const TEXT_FUNCTIONS: Readonly<Partial<Record<Operator, (text: string, value: string) => string>>> = {
  contains: (text, value) => `${text}.lower().contains(${JSON.stringify(value.toLowerCase())})`,
  without: (text, value) => `${text}.lower().contains(${JSON.stringify(value.toLowerCase())})`,
  starts: (text, value) => `${text}.startsWith(${JSON.stringify(value)})`,
  ends: (text, value) => `${text}.endsWith(${JSON.stringify(value)})`,
  'contains exactly': (text, value) => `${text}.contains(${JSON.stringify(value)})`,
  'is in any case': (text, value) => `${text}.lower() == ${JSON.stringify(value.toLowerCase())}`,
};

function textCondition(text: string, isList: boolean, operator: Operator, values: readonly string[]): string {
  const list = `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  const [first = ''] = values;
  if (isList) {
    return values.length === 1 ? `${JSON.stringify(first)} in ${text}` : `${text}.exists(item, item in ${list})`;
  }
  const any = TEXT_FUNCTIONS[operator];
  if (any) {
    const joined = values.map((value) => any(text, value)).join(' || ');
    if (operator !== 'without') return joined;
    return values.length === 1 ? `!${joined}` : `!(${joined})`;
  }
  if (values.length === 1) return `${text} ${operator === 'is' ? '==' : '!='} ${JSON.stringify(first)}`;
  return operator === 'is' ? `${text} in ${list}` : `!(${text} in ${list})`;
}

/** The operator in words, after the name of a field of a type. */
export function operatorWords(type: FieldType, operator: Operator): string {
  if (type === 'list' && countsParts(operator)) return operator === 'longer' ? 'has more than' : 'has fewer than';
  return OPERATOR_WORDS[operator];
}

/** A condition in words: `genre is “Drama” or “Comedy”`. */
export function conditionWords({ field, operator, values }: Condition): string {
  const words = `${field.name} ${operatorWords(field.type, operator)}`;
  if (!needsValue(operator)) return words;
  if (countsParts(operator)) return `${words} ${values[0] ?? ''} ${field.type === 'list' ? 'items' : 'letters'}`;
  const isQuoted = field.type === 'text' || field.type === 'list';
  return `${words} ${values.map((value) => (isQuoted ? `“${value}”` : value)).join(' or ')}`;
}

/** The condition that an expression is, in any spacing and quotes; undefined if it is not one comparison of a field. */
export function conditionIn(written: string, fields: readonly FieldFacts[]): Condition | undefined {
  const usualText = usual(written);
  const text = fields.reduce(
    (now, { keys }) => now.replaceAll(`${fieldText(keys)}.size()`, `size(${fieldText(keys)})`),
    usualText,
  );
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
  ...(type === 'text' || type === 'list'
    ? ([
        [`size(${name}) != 0`, 'filled'],
        [`size(${name}) >= 1`, 'filled'],
        [`size(${name}) < 1`, 'empty'],
        ...(type === 'text'
          ? ([[`${name} == ""`, 'empty'] as const, [`${name} != ""`, 'filled'] as const] as const)
          : []),
      ] as const)
    : []),
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
