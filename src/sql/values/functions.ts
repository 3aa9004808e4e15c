import type { Arithmetic } from './arithmetic.js';
import { LEAST } from './fields.js';
import { EXP_LIMIT, LIBRARY } from './precision.js';
import { type Odd, oddOf, orFalse, type SqlNumber, sum } from './values.js';

/** The root of a number below 0 is odd. */
export function sqrt(numbers: Arithmetic, a: SqlNumber): SqlNumber {
  const x = numbers.once(a);
  const odd = [...a.odd, orFalse(`(${x.sql} < 0)`)];
  const value = `CASE WHEN ${x.sql} >= 0 THEN sqrt(${x.sql}) END`;
  if (x.error === undefined) return numbers.rounded(value, Math.sqrt(a.most), odd);
  const root = numbers.layers.let(value);
  // |√x − √y| = |x − y| / (√x + √y), and at most √|x − y|.
  const error = `CASE WHEN ${root} > sqrt(${x.error}) THEN ${x.error} / ${root} ELSE sqrt(${x.error}) END`;
  return numbers.rounded(root, Math.sqrt(a.most), odd, error);
}

/** Beyond ±600, where the result would overflow or vanish, the argument is odd. */
export function exp(numbers: Arithmetic, a: SqlNumber): SqlNumber {
  const x = numbers.once(a);
  const inside = `abs(${x.sql}) <= ${numbers.literal(EXP_LIMIT)}`;
  const odd = [...a.odd, orFalse(`(NOT ${inside})`)];
  const value = numbers.layers.let(`CASE WHEN ${inside} THEN exp(${x.sql}) END`);
  return relative(numbers, value, Math.exp(Math.min(a.most, EXP_LIMIT)), odd, x.error && small(numbers, x.error, odd));
}

/** Of what is not above 0, or may not be, a logarithm is odd. */
export function logarithm(numbers: Arithmetic, which: 'ln' | 'log2', a: SqlNumber): SqlNumber {
  const x = numbers.once(a);
  const size = x.error === undefined ? x.sql : numbers.layers.let(`(${x.sql} - 2 * ${x.error})`);
  const least = numbers.literal(LEAST * LEAST);
  const odd = [...a.odd, orFalse(`(${size} < ${least})`)];
  const log = which === 'ln' ? `ln(${x.sql})` : numbers.dialect.log2(x.sql);
  const value = numbers.layers.let(`CASE WHEN ${size} >= ${least} THEN ${log} END`);
  const slope = x.error && `CASE WHEN ${size} >= ${least} THEN 2 * ${x.error} / ${size} END`;
  const error = sum(`abs(${value}) * ${numbers.literal(LIBRARY)}`, slope);
  return numbers.rounded(value, 1000, odd, error);
}

/** A base that is not above 0 is odd, and so is a result that would overflow or vanish. */
export function power(numbers: Arithmetic, a: SqlNumber, b: SqlNumber): SqlNumber {
  const [x, y] = [numbers.once(a), numbers.once(b)];
  const size = x.error === undefined ? x.sql : numbers.layers.let(`(${x.sql} - 2 * ${x.error})`);
  const least = numbers.literal(LEAST * LEAST);
  const ln = numbers.layers.let(`CASE WHEN ${size} >= ${least} THEN ln(${x.sql}) END`);
  const inside = `abs(${ln} * ${y.sql}) <= ${numbers.literal(EXP_LIMIT)}`;
  const odd = [...oddOf(a, b), orFalse(`(${size} < ${least})`), orFalse(`(NOT ${inside})`)];
  const value = numbers.layers.let(`CASE WHEN ${inside} THEN power(${x.sql}, ${y.sql}) END`);
  const exponent = [
    x.error && `2 * abs(${y.sql}) * ${x.error} / ${size}`,
    y.error && `2 * abs(${ln}) * ${y.error}`,
    x.error && y.error && `2 * ${x.error} * ${y.error} / ${size}`,
  ].filter((part) => part !== undefined);
  if (exponent.length === 0) return relative(numbers, value, Math.exp(EXP_LIMIT), odd, undefined);
  const error = numbers.layers.let(`CASE WHEN ${size} >= ${least} THEN ${exponent.join(' + ')} END`);
  return relative(numbers, value, Math.exp(EXP_LIMIT), odd, small(numbers, error, odd));
}

/** A result of exp or pow, whose error is relative: the library's, and twice that of the exponent. */
function relative(numbers: Arithmetic, value: string, most: number, odd: Odd, exponent: string | undefined): SqlNumber {
  const share = sum(numbers.literal(LIBRARY), exponent && `2 * ${exponent}`);
  return numbers.rounded(value, most, odd, `abs(${value}) * (${share})`);
}

/** An error of an exponent of which twice is more than the relative error that it makes; a great one is odd. */
function small(numbers: Arithmetic, error: string, odd: string[]): string {
  odd.push(orFalse(`(${error} > ${numbers.literal(0.5)})`));
  return error;
}
