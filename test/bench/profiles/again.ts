import { columns as byColumn, type ColumnSet } from 'assize';
import { random } from '../random.js';
import type { BenchProfile } from './bench-profile.js';
import { numbersOf, numbersProfile } from './numbers.js';
import { objectsOf, presence, texts } from './rows.js';

type Numbers = ReturnType<typeof numbersOf>;

/** The same fields in reverse order. */
const reversed = (data: Numbers): ColumnSet => Object.fromEntries(Object.entries(data).toReversed());

/** More fields before the others and between them, and whole numbers in fields that have fractions. */
const wider = ({ relevance, price, ...others }: Numbers, next: () => number): ColumnSet => ({
  kind: texts(others.tokens.length, next, ['a', 'b', 'c']),
  relevance: relevance.map(Math.round),
  note: texts(others.tokens.length, next, ['x', 'y']),
  price: price.map(Math.round),
  ...others,
});

/** Absent numbers in two fields. */
const nullable = (data: Numbers, next: () => number): ColumnSet => ({
  ...data,
  stars: { values: data.stars, present: presence(data.stars.length, next, 0.3) },
  price: { values: data.price, present: presence(data.price.length, next, 0.3) },
});

/** Other kinds of columns with the same numbers: lists, and arrays of floats. */
const otherArrays = (data: Numbers): ColumnSet => ({
  ...data,
  stars: Array.from(data.stars),
  forks: Float64Array.from(data.forks),
  relevance: Float32Array.from(data.relevance),
  age_days: Array.from(data.age_days),
  tokens: Uint16Array.from(data.tokens),
  calls: { dictionary: Array.from({ length: 5000 }, (_, value) => value), codes: data.calls },
});

function before(count: number): readonly (readonly object[])[] {
  const next = random(7);
  const data = numbersOf(count, next);
  const shapes = [data, reversed(data), wider(data, next), nullable(data, next), otherArrays(data)];
  return shapes.flatMap((shape) => [objectsOf<object>(shape, count, ['stars']), byColumn(shape)]);
}

/** The first profile after its pipeline ranked rows of other shapes, in a process that ranked the other profiles. */
export const numbersAgain: BenchProfile = { ...numbersProfile, name: 'numbers, after other shapes', before };
