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
 * Arithmetic that knows what it may be wrong by. Additions, products, quotients and roots of doubles have the same bits
 * everywhere (IEEE 754), so that what is made of these alone has no error at all; exp, ln, log2 and pow begin one, and
 * what follows carries it on. The bounds are those of interval arithmetic, with room for their own rounding.
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

  /** A divisor of 0, or too near to it, is uncertain. */
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
      throw new Untranslatable('a remainder of what is not exact jumps');
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

  /** `least` and `greatest` leave out NULL; here both must be there. */
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

  /** The greatest whole number that is not above, or the least that is not below; uncertain if an error makes it doubtful. */
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

  /** Two numbers that are too near to each other to be told apart are uncertain. */
  compare(operator: '=' | '<>' | '<' | '<=' | '>' | '>=', a: SqlNumber, b: SqlNumber): SqlBool {
    if (a.error === undefined && b.error === undefined) {
      return { kind: 'bool', sql: `(${a.sql} ${operator} ${b.sql})`, uncertain: uncertainOf(a, b) };
    }
    const [x, y] = [this.once(a), this.once(b)];
    const near = orFalse(`(abs(${x.sql} - ${y.sql}) <= 2 * (${sum(x.error, y.error)}))`);
    return { kind: 'bool', sql: `(${x.sql} ${operator} ${y.sql})`, uncertain: [...uncertainOf(a, b), near] };
  }

  /** One of two numbers, by a condition; absent if that is NULL. */
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

  /** The first of two numbers that is there. */
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

  /** A number by its name, so that it can be read more than once. */
  once(a: SqlNumber): SqlNumber {
    return { ...a, sql: this.layers.let(a.sql), error: a.error && this.layers.let(a.error) };
  }

  /** A result with its error, rounding included; uncertain if it is too great. */
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
}

/** The root of a number below 0 is uncertain. */
export function sqrt(numbers: Arithmetic, a: SqlNumber): SqlNumber {
  const x = numbers.once(a);
  const uncertain = [...a.uncertain, orFalse(`(${x.sql} < 0)`)];
  const value = `CASE WHEN ${x.sql} >= 0 THEN sqrt(${x.sql}) END`;
  if (x.error === undefined) return numbers.rounded(value, Math.sqrt(a.most), uncertain);
  const root = numbers.layers.let(value);
  // |√x − √y| = |x − y| / (√x + √y), and at most √|x − y|.
  const error = `CASE WHEN ${root} > sqrt(${x.error}) THEN ${x.error} / ${root} ELSE sqrt(${x.error}) END`;
  return numbers.rounded(root, Math.sqrt(a.most), uncertain, error);
}

/** Beyond ±600, where the result would overflow or vanish, the argument is uncertain. */
export function exp(numbers: Arithmetic, a: SqlNumber): SqlNumber {
  const x = numbers.once(a);
  const inside = `abs(${x.sql}) <= ${numbers.literal(EXP_LIMIT)}`;
  const uncertain = [...a.uncertain, orFalse(`(NOT ${inside})`)];
  const value = numbers.layers.let(`CASE WHEN ${inside} THEN exp(${x.sql}) END`);
  return relative(
    numbers,
    value,
    Math.exp(Math.min(a.most, EXP_LIMIT)),
    uncertain,
    x.error && small(numbers, x.error, uncertain),
  );
}

/** Of what is not above 0, or may not be, a logarithm is uncertain. */
export function logarithm(numbers: Arithmetic, which: 'ln' | 'log2', a: SqlNumber): SqlNumber {
  const x = numbers.once(a);
  const size = x.error === undefined ? x.sql : numbers.layers.let(`(${x.sql} - 2 * ${x.error})`);
  const least = numbers.literal(LEAST * LEAST);
  const uncertain = [...a.uncertain, orFalse(`(${size} < ${least})`)];
  const log = which === 'ln' ? `ln(${x.sql})` : numbers.dialect.log2(x.sql);
  const value = numbers.layers.let(`CASE WHEN ${size} >= ${least} THEN ${log} END`);
  const slope = x.error && `CASE WHEN ${size} >= ${least} THEN 2 * ${x.error} / ${size} END`;
  const error = sum(`abs(${value}) * ${numbers.literal(LIBRARY)}`, slope);
  return numbers.rounded(value, 1000, uncertain, error);
}

/** A base that is not above 0 is uncertain, and so is a result that would overflow or vanish. */
export function power(numbers: Arithmetic, a: SqlNumber, b: SqlNumber): SqlNumber {
  const [x, y] = [numbers.once(a), numbers.once(b)];
  const size = x.error === undefined ? x.sql : numbers.layers.let(`(${x.sql} - 2 * ${x.error})`);
  const least = numbers.literal(LEAST * LEAST);
  const ln = numbers.layers.let(`CASE WHEN ${size} >= ${least} THEN ln(${x.sql}) END`);
  const inside = `abs(${ln} * ${y.sql}) <= ${numbers.literal(EXP_LIMIT)}`;
  const uncertain = [...uncertainOf(a, b), orFalse(`(${size} < ${least})`), orFalse(`(NOT ${inside})`)];
  const value = numbers.layers.let(`CASE WHEN ${inside} THEN power(${x.sql}, ${y.sql}) END`);
  const exponent = [
    x.error && `2 * abs(${y.sql}) * ${x.error} / ${size}`,
    y.error && `2 * abs(${ln}) * ${y.error}`,
    x.error && y.error && `2 * ${x.error} * ${y.error} / ${size}`,
  ].filter((part) => part !== undefined);
  if (exponent.length === 0) return relative(numbers, value, Math.exp(EXP_LIMIT), uncertain, undefined);
  const error = numbers.layers.let(`CASE WHEN ${size} >= ${least} THEN ${exponent.join(' + ')} END`);
  return relative(numbers, value, Math.exp(EXP_LIMIT), uncertain, small(numbers, error, uncertain));
}

/** A result of exp or pow, whose error is relative: the library's, and twice that of the exponent. */
function relative(
  numbers: Arithmetic,
  value: string,
  most: number,
  uncertain: Uncertain,
  exponent: string | undefined,
): SqlNumber {
  const share = sum(numbers.literal(LIBRARY), exponent && `2 * ${exponent}`);
  return numbers.rounded(value, most, uncertain, `abs(${value}) * (${share})`);
}

/** An error of an exponent of which twice is more than the relative error that it makes; a great one is uncertain. */
function small(numbers: Arithmetic, error: string, uncertain: string[]): string {
  uncertain.push(orFalse(`(${error} > ${numbers.literal(0.5)})`));
  return error;
}
