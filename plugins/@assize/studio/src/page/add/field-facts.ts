import { type Field, fieldsOf, readField } from '../list/fields.js';

/** The type that most values of a field have. */
export type FieldType = 'number' | 'text' | 'yes/no' | 'date' | 'list';

/** A value of a field and how many candidates have it. */
export interface Frequent {
  readonly value: string;
  readonly count: number;
}

/** What the candidates have in a field. */
export interface FieldFacts extends Field {
  readonly type: FieldType;
  /** The share of candidates that have a value, from 0 to 1. */
  readonly present: number;
  /** The range of numbers, or of dates in milliseconds; undefined for other types. */
  readonly range: readonly [least: number, most: number] | undefined;
  /** The middle value of numbers or dates. */
  readonly middle: number | undefined;
  /** The most frequent texts, or items of lists, the first the most frequent. */
  readonly frequent: readonly Frequent[];
  /** Values of the first candidates that have one, as text. */
  readonly samples: readonly string[];
}

/** More candidates are sampled. */
const MOST_ROWS = 20_000;
const MOST_FREQUENT = 50;
const SAMPLES = 3;
/** The share of the values of a field that have its type. */
const LEAST_SHARE = 0.9;
/** Values that are longer are not offered as a choice. */
const LONGEST = 200;

const known = new WeakMap<readonly object[], readonly FieldFacts[]>();

/** The fields of candidates with their values, computed once per list. Fields without a value are omitted. */
export function fieldFacts(candidates: readonly object[]): readonly FieldFacts[] {
  const facts = known.get(candidates) ?? fieldsOf(candidates).flatMap((field) => factsOf(field, candidates));
  known.set(candidates, facts);
  return facts;
}

function factsOf(field: Field, candidates: readonly object[]): readonly FieldFacts[] {
  const step = Math.max(1, Math.ceil(candidates.length / MOST_ROWS));
  const values: unknown[] = [];
  let rows = 0;
  for (let k = 0; k < candidates.length; k += step) {
    rows += 1;
    const value = readField(candidates[k], field);
    if (value !== undefined && value !== null) values.push(value);
  }
  if (values.length === 0) return [];
  const type = typeOf(values);
  const numbers = type === 'number' || type === 'date' ? values.map(numberOf).filter(Number.isFinite) : [];
  const sorted = Float64Array.from(numbers).sort();
  return [
    {
      ...field,
      type,
      present: values.length / rows,
      range: sorted.length > 0 ? [sorted[0]!, sorted.at(-1)!] : undefined,
      middle: sorted[Math.floor(sorted.length / 2)],
      frequent: type === 'text' || type === 'list' ? frequentIn(values.flat()) : [],
      samples: values.slice(0, SAMPLES).map(sampleText),
    },
  ];
}

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/;

const isDate = (value: unknown): boolean => value instanceof Date || (typeof value === 'string' && DATE.test(value));

function typeOf(values: readonly unknown[]): FieldType {
  const isMostly = (is: (value: unknown) => boolean): boolean =>
    values.filter(is).length >= LEAST_SHARE * values.length;
  if (isMostly((value) => typeof value === 'number')) return 'number';
  if (isMostly((value) => typeof value === 'boolean')) return 'yes/no';
  if (isMostly(isDate)) return 'date';
  return isMostly(Array.isArray) ? 'list' : 'text';
}

const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return value instanceof Date || typeof value === 'string' ? new Date(value).getTime() : Number.NaN;
};

function frequentIn(values: readonly unknown[]): readonly Frequent[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    if (typeof value === 'string' && value.length <= LONGEST) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const all = [...counts].map(([value, count]) => ({ value, count }));
  return all.toSorted((a, b) => b.count - a.count).slice(0, MOST_FREQUENT);
}

const sampleText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

/** A field in a few words: `number, 1 to 9.2, 94 % have it`. */
export function fieldNote({ type, present, range, frequent }: FieldFacts): string {
  const parts = [
    type,
    ...(range ? [type === 'date' ? `${dayOf(range[0])} to ${dayOf(range[1])}` : `${range[0]} to ${range[1]}`] : []),
    ...(frequent.length > 0
      ? [
          `such as ${frequent
            .slice(0, 2)
            .map(({ value }) => value)
            .join(', ')}`,
        ]
      : []),
    present === 1 ? 'all have it' : `${Math.round(100 * present)} % have it`,
  ];
  return parts.join('; ');
}

/** The day of a time in milliseconds, as ISO 8601. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The names of the fields of candidates, and their frequent values, to choose from. */
export function suggestedTexts(candidates: readonly object[]): readonly string[] {
  const facts = fieldFacts(candidates);
  return [
    ...new Set([
      ...facts.map(({ name }) => name),
      ...facts.flatMap(({ frequent }) => frequent.map(({ value }) => value)),
    ]),
  ];
}
