import { isDeepStrictEqual } from 'node:util';
import { describeValue } from '../diagnostics/index.js';

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** A deep copy of lists and plain maps; dates, vectors and other objects are shared. */
export function copyPlain<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => copyPlain(item)) as T;
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyPlain(item)])) as T;
}

/** Freezes lists and plain maps deeply, so that a write throws in any module. */
export function freezePlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null || (!Array.isArray(value) && !isPlainObject(value))) return value;
  for (const item of Object.values(value)) freezePlain(item);
  return Object.freeze(value);
}

/** The result of a score for one candidate: a value or an error. */
export type UnitResult = { readonly value: unknown } | { readonly error: string };

/** The value of a call, or the message of its error. */
export const resultOf = (score: () => unknown): UnitResult => {
  try {
    return { value: score() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
};

/** A result as a finding shows it. */
export function resultText(result: UnitResult): string {
  if ('error' in result) return `an error (${result.error})`;
  const { value } = result;
  if (value === undefined) return 'nothing';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeValue(value);
}

/** The first difference of two lists of results, as a sentence; undefined where they are equal. */
export function firstDifference(
  first: readonly UnitResult[],
  second: readonly UnitResult[],
  name: (position: number) => string = (position) => `candidate ${position}`,
): string | undefined {
  const at = first.findIndex((result, position) => !isDeepStrictEqual(result, second[position]));
  const other = second[at];
  return at < 0 ? undefined : `${name(at)}: ${resultText(first[at]!)}, then ${other ? resultText(other) : 'no result'}`;
}

/** Orders that show whether order matters: reversed, rotated by half, and odd before even. Always the same. */
export function permutations(length: number): readonly (readonly number[])[] {
  const all = Array.from({ length }, (_, i) => i);
  const half = length >> 1;
  return [
    all.toReversed(),
    [...all.slice(half), ...all.slice(0, half)],
    [...all.filter((i) => i % 2 === 1), ...all.filter((i) => i % 2 === 0)],
  ];
}

/** Subsets of a batch: each candidate alone, both halves, and the odd positions. */
export function subsets(length: number): readonly (readonly number[])[] {
  const all = Array.from({ length }, (_, i) => i);
  const half = length >> 1;
  const parts = [all.slice(0, half), all.slice(half), all.filter((i) => i % 2 === 1)];
  return [...all.map((i) => [i]), ...parts.filter((part) => part.length > 0)];
}
