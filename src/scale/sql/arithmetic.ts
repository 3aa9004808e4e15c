import { type Dialect, Untranslatable } from './dialect.js';
import { LEAST } from './fields.js';
import {
  constantNumber,
  EXP_LIMIT,
  type Layers,
  LIBRARY,
  LIMIT,
  numberLiteral,
  type Uncertain,
  uncertainOf,
  orFalse,
  orTrue,
  ROUNDING,
  type SqlBool,
  type SqlNumber,
  sum,
  TINY,
  withoutConstant,
} from './values.js';

/**
 * Translates arithmetic and bounds its error. The sum, difference, product, quotient and square root of doubles have
 * the same bits in every database (IEEE 754), so they add no error. `exp`, `ln`, `log2` and `pow` introduce an error,
 * and later operations propagate it. The bounds are those of interval arithmetic, widened for their own rounding.
 */
export class Arithmetic {
  constructor(
    readonly dialect: Dialect,
    readonly layers: Layers,
  ) {}

  constant(value: number): SqlNumber {
    return constantNumber(this.dialect, value);
  }

  add(a: SqlNumber, b: SqlNumber, sign: '+' | '-' = '+'): SqlNumber {
    const error = a.error === undefined && b.error === undefined ? undefined : sum(a.error, b.error);
    return this.rounded(`(${a.sql} ${sign} ${b.sql})`, a.most + b.most, uncertainOf(a, b), error);
  }

  multiply(a: SqlNumber, b: SqlNumber): SqlNumber {
    const [x, y] = [this.once(a), this.once(b)];
    const most = a.most * b.most;
    if (x.error === undefined && y.error === undefined)
      return this.rounded(`(${x.sql} * ${y.sql})`, most, uncertainOf(a, b));
    const cross = [
      y.error && `abs(${x.sql}) * ${y.error}`,
      x.error && `abs(${y.sql}) * ${x.error}`,
      x.error && y.error && `${x.error} * ${y.error}`,
    ];
    return this.rounded(`(${x.sql} * ${y.sql})`, most, uncertainOf(a, b), sum(...cross));
  }

  /** A row whose divisor is 0 or close to 0 is uncertain. */
  divide(a: SqlNumber, b: SqlNumber): SqlNumber {
    const [x, y] = [this.once(a), this.once(b)];
    if (y.constant !== undefined && Math.abs(y.constant) >= LEAST)
      return this.#divideByConstant(x, y, Math.abs(y.constant));
    const least = this.literal(LEAST);
    const size = y.error === undefined ? `abs(${y.sql})` : this.layers.let(`(abs(${y.sql}) - 2 * ${y.error})`);
    const uncertain = [...uncertainOf(a, b), orFalse(`(${size} < ${least})`)];
    const sql = `CASE WHEN ${size} >= ${least} THEN ${x.sql} / ${y.sql} END`;
    if (x.error === undefined && y.error === undefined) return this.rounded(sql, a.most / LEAST, uncertain);
    const value = this.layers.let(sql);
    const slope = `(${sum(x.error, y.error && `abs(${value}) * ${y.error}`)}) / ${size}`;
    const error = `CASE WHEN ${size} >= ${least} THEN ${slope} END`;
    return this.rounded(value, a.most / LEAST, uncertain, error);
  }

  #divideByConstant(x: SqlNumber, y: SqlNumber, size: number): SqlNumber {
    const error = x.error && `${x.error} / ${this.literal(size)}`;
    return this.rounded(`(${x.sql} / ${y.sql})`, x.most / size, x.uncertain, error);
  }

  remainder(a: SqlNumber, b: SqlNumber): SqlNumber {
    const { remainder } = this.dialect;
    if (!remainder) throw new Untranslatable(`${this.dialect.name} has no remainder of doubles`);
    if (a.error !== undefined || b.error !== undefined)
      throw new Untranslatable('the remainder of an inexact number has no translation');
    const [x, y] = [this.once(a), this.once(b)];
    const least = this.literal(LEAST);
    const sql = `CASE WHEN abs(${y.sql}) >= ${least} THEN ${remainder(x.sql, y.sql)} END`;
    return this.rounded(sql, a.most, [...uncertainOf(a, b), orFalse(`(abs(${y.sql}) < ${least})`)]);
  }

  negate(a: SqlNumber): SqlNumber {
    return { ...a, sql: `(-${a.sql})`, ...(a.constant !== undefined && { constant: -a.constant }) };
  }

  abs(a: SqlNumber): SqlNumber {
    return { ...withoutConstant(a), sql: `abs(${a.sql})` };
  }

  /** Unlike `least` and `greatest`, NULL if either value is NULL. */
  extremum(which: 'min' | 'max', a: SqlNumber, b: SqlNumber): SqlNumber {
    const [x, y] = [this.once(a), this.once(b)];
    const choose = which === 'min' ? '<=' : '>=';
    const both = [x, y].filter(({ constant }) => constant === undefined).map(({ sql }) => `${sql} IS NOT NULL`);
    const one = `CASE WHEN ${x.sql} ${choose} ${y.sql} THEN ${x.sql} ELSE ${y.sql} END`;
    const sql = both.length === 0 ? one : `CASE WHEN ${both.join(' AND ')} THEN ${one} END`;
    const most = Math.max(a.most, b.most);
    const uncertain = uncertainOf(a, b);
    if (x.error === undefined && y.error === undefined)
      return { kind: 'number', sql, error: undefined, most, uncertain };
    return { kind: 'number', sql, most, uncertain, error: this.layers.let(`(${sum(x.error, y.error)})`) };
  }

  /** A number limited to a range. */
  clamp(x: SqlNumber, low: SqlNumber, high: SqlNumber): SqlNumber {
    return this.extremum('min', this.extremum('max', x, low), high);
  }

  /** Rounds to a whole number. A row is uncertain if the error spans two whole numbers. */
  toInteger(which: 'floor' | 'ceil', a: SqlNumber): SqlNumber {
    const { [which]: round } = this.dialect;
    const x = this.once(a);
    const sql = round(x.sql);
    if (x.error === undefined) return { ...withoutConstant(a), sql };
    const uncertain = orFalse(`(${round(`(${x.sql} - 2 * ${x.error})`)} <> ${round(`(${x.sql} + 2 * ${x.error})`)})`);
    return { ...withoutConstant(a), sql, error: undefined, uncertain: [...a.uncertain, uncertain] };
  }

  truncate(a: SqlNumber): SqlNumber {
    const x = this.once(a);
    const [up, down] = [this.toInteger('ceil', x), this.toInteger('floor', x)];
    return {
      ...down,
      sql: `CASE WHEN ${x.sql} < 0 THEN ${up.sql} ELSE ${down.sql} END`,
      uncertain: uncertainOf(up, down),
    };
  }

  /** A row is uncertain if the difference of the numbers is within their error. */
  compare(operator: '=' | '<>' | '<' | '<=' | '>' | '>=', a: SqlNumber, b: SqlNumber): SqlBool {
    if (a.error === undefined && b.error === undefined) {
      return { kind: 'bool', sql: `(${a.sql} ${operator} ${b.sql})`, uncertain: uncertainOf(a, b) };
    }
    const [x, y] = [this.once(a), this.once(b)];
    const near = orFalse(`(abs(${x.sql} - ${y.sql}) <= 2 * (${sum(x.error, y.error)}))`);
    return { kind: 'bool', sql: `(${x.sql} ${operator} ${y.sql})`, uncertain: [...uncertainOf(a, b), near] };
  }

  /** Chooses one of two numbers by a condition; absent if the condition is NULL. */
  choose(test: string, then: SqlNumber, otherwise: SqlNumber): SqlNumber {
    const pick = (a: string, b: string): string => `CASE WHEN ${test} THEN ${a} WHEN NOT ${test} THEN ${b} END`;
    const none = then.error === undefined && otherwise.error === undefined;
    const zero = this.literal(0);
    return {
      kind: 'number',
      sql: pick(then.sql, otherwise.sql),
      error: none ? undefined : this.layers.let(pick(then.error ?? zero, otherwise.error ?? zero)),
      most: Math.max(then.most, otherwise.most),
      uncertain: [],
    };
  }

  /** The first number that is present. */
  orElse(a: SqlNumber, b: SqlNumber): SqlNumber {
    const x = this.once(a);
    const none = a.error === undefined && b.error === undefined;
    const zero = this.literal(0);
    return {
      kind: 'number',
      sql: `coalesce(${x.sql}, ${b.sql})`,
      error: none
        ? undefined
        : this.layers.let(`CASE WHEN ${x.sql} IS NULL THEN ${b.error ?? zero} ELSE ${x.error ?? zero} END`),
      most: Math.max(a.most, b.most),
      uncertain: uncertainOf(a, b),
    };
  }

  /** Names a number, so that it can be read more than once and is computed once. */
  once(a: SqlNumber): SqlNumber {
    return { ...a, sql: this.layers.let(a.sql), error: a.error && this.layers.let(a.error) };
  }

  /** Adds the rounding error to a result. A row is uncertain if the result exceeds `LIMIT`. */
  rounded(sql: string, most: number, uncertain: Uncertain, error?: string): SqlNumber {
    if (error === undefined && most <= LIMIT) return { kind: 'number', sql, error, most, uncertain };
    const value = this.layers.let(sql);
    const great = most <= LIMIT ? [] : [`(NOT ${orTrue(`abs(${value}) <= ${this.literal(LIMIT)}`)})`];
    const rounding = `abs(${value}) * ${this.literal(ROUNDING)} + ${this.literal(TINY)}`;
    return {
      kind: 'number',
      sql: value,
      error: error && this.layers.let(`(${error} + ${rounding})`),
      most: Math.min(most, LIMIT),
      uncertain: [...uncertain, ...great],
    };
  }

  literal(value: number): string {
    return numberLiteral(this.dialect, value);
  }

  /** A row is uncertain if the number is below 0. */
  sqrt(a: SqlNumber): SqlNumber {
    const x = this.once(a);
    const uncertain = [...a.uncertain, orFalse(`(${x.sql} < 0)`)];
    const value = `CASE WHEN ${x.sql} >= 0 THEN sqrt(${x.sql}) END`;
    if (x.error === undefined) return this.rounded(value, Math.sqrt(a.most), uncertain);
    const root = this.layers.let(value);
    // |√x − √y| = |x − y| / (√x + √y), and at most √|x − y|.
    const error = `CASE WHEN ${root} > sqrt(${x.error}) THEN ${x.error} / ${root} ELSE sqrt(${x.error}) END`;
    return this.rounded(root, Math.sqrt(a.most), uncertain, error);
  }

  /** A row is uncertain if the argument is beyond ±600, where the result would overflow or underflow. */
  exp(a: SqlNumber): SqlNumber {
    const x = this.once(a);
    const inside = `abs(${x.sql}) <= ${this.literal(EXP_LIMIT)}`;
    const uncertain = [...a.uncertain, orFalse(`(NOT ${inside})`)];
    const value = this.layers.let(`CASE WHEN ${inside} THEN exp(${x.sql}) END`);
    return this.#relative(
      value,
      Math.exp(Math.min(a.most, EXP_LIMIT)),
      uncertain,
      x.error && this.#small(x.error, uncertain),
    );
  }

  /** A row is uncertain if the number is not, within its error, above 0. */
  logarithm(which: 'ln' | 'log2', a: SqlNumber): SqlNumber {
    const x = this.once(a);
    const size = x.error === undefined ? x.sql : this.layers.let(`(${x.sql} - 2 * ${x.error})`);
    const least = this.literal(LEAST * LEAST);
    const uncertain = [...a.uncertain, orFalse(`(${size} < ${least})`)];
    const log = which === 'ln' ? `ln(${x.sql})` : this.dialect.log2(x.sql);
    const value = this.layers.let(`CASE WHEN ${size} >= ${least} THEN ${log} END`);
    const slope = x.error && `CASE WHEN ${size} >= ${least} THEN 2 * ${x.error} / ${size} END`;
    const error = sum(`abs(${value}) * ${this.literal(LIBRARY)}`, slope);
    return this.rounded(value, 1000, uncertain, error);
  }

  /** A row is uncertain if the base is not above 0, or if the result would overflow or underflow. */
  power(a: SqlNumber, b: SqlNumber): SqlNumber {
    const [x, y] = [this.once(a), this.once(b)];
    const size = x.error === undefined ? x.sql : this.layers.let(`(${x.sql} - 2 * ${x.error})`);
    const least = this.literal(LEAST * LEAST);
    const ln = this.layers.let(`CASE WHEN ${size} >= ${least} THEN ln(${x.sql}) END`);
    const inside = `abs(${ln} * ${y.sql}) <= ${this.literal(EXP_LIMIT)}`;
    const uncertain = [...uncertainOf(a, b), orFalse(`(${size} < ${least})`), orFalse(`(NOT ${inside})`)];
    const value = this.layers.let(`CASE WHEN ${inside} THEN power(${x.sql}, ${y.sql}) END`);
    const exponent = [
      x.error && `2 * abs(${y.sql}) * ${x.error} / ${size}`,
      y.error && `2 * abs(${ln}) * ${y.error}`,
      x.error && y.error && `2 * ${x.error} * ${y.error} / ${size}`,
    ].filter((part) => part !== undefined);
    if (exponent.length === 0) return this.#relative(value, Math.exp(EXP_LIMIT), uncertain, undefined);
    const error = this.layers.let(`CASE WHEN ${size} >= ${least} THEN ${exponent.join(' + ')} END`);
    return this.#relative(value, Math.exp(EXP_LIMIT), uncertain, this.#small(error, uncertain));
  }

  /** A result of exp or pow. Its relative error is the library's error plus twice the exponent's error. */
  #relative(value: string, most: number, uncertain: Uncertain, exponent: string | undefined): SqlNumber {
    const share = sum(this.literal(LIBRARY), exponent && `2 * ${exponent}`);
    return this.rounded(value, most, uncertain, `abs(${value}) * (${share})`);
  }

  /**
   * Marks a row as uncertain if the exponent's error is above 0.5: the bound of `relative` holds only for small errors.
   */
  #small(error: string, uncertain: string[]): string {
    uncertain.push(orFalse(`(${error} > ${this.literal(0.5)})`));
    return error;
  }
}
