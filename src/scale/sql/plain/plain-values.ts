import type { PathStep } from '../../../expression/index.js';
import { Arithmetic } from '../arithmetic.js';
import type { Dialect } from '../dialect.js';
import { type Field, Fields, isoMillis } from '../fields.js';
import type { Relation } from '../relation.js';
import { absentNumber, exactNumber, type SqlBool, type SqlNumber, type SqlText, type Uncertain } from '../values.js';
import type { PlainLayers } from './plain-layers.js';

/** The argument beyond which PostgreSQL fails a statement because the result of `exp` overflows or underflows. */
const EXP_LIMIT = 700;

/**
 * Translates arithmetic without error bounds and without conditions of uncertainty. It only avoids what would fail the
 * statement: a division by 0 and the root of a negative number have no value.
 */
export class PlainArithmetic extends Arithmetic {
  /** Why a score may differ from the engine's. */
  readonly differences = new Set<string>();

  override add(a: SqlNumber, b: SqlNumber, sign: '+' | '-' = '+'): SqlNumber {
    return plain(`(${a.sql} ${sign} ${b.sql})`);
  }

  override multiply(a: SqlNumber, b: SqlNumber): SqlNumber {
    return plain(`(${a.sql} * ${b.sql})`);
  }

  override divide(a: SqlNumber, b: SqlNumber): SqlNumber {
    if (b.constant !== undefined && b.constant !== 0) return plain(`(${a.sql} / ${b.sql})`);
    this.differences.add('a quotient by 0 has no value');
    return plain(`(${a.sql} / nullif(${b.sql}, 0))`);
  }

  override remainder(a: SqlNumber, b: SqlNumber): SqlNumber {
    this.differences.add('a remainder by 0 has no value');
    const [x, y] = [this.layers.let(a.sql), this.layers.let(b.sql)];
    const { remainder } = this.dialect;
    if (remainder) return plain(remainder(x, `nullif(${y}, 0)`));
    return plain(`(${x} - ${y} * trunc(${x} / nullif(${y}, 0)))`);
  }

  /** Unlike `least` and `greatest`, NULL if either value is NULL. */
  override extremum(which: 'min' | 'max', a: SqlNumber, b: SqlNumber): SqlNumber {
    if (a.constant !== undefined && b.constant === undefined) return this.extremum(which, b, a);
    const [x, y] = [this.layers.let(a.sql), this.layers.let(b.sql)];
    const beyond = which === 'min' ? '>' : '<';
    const otherwise = b.constant === undefined ? `WHEN ${y} ${beyond}= ${x} THEN ${x} END` : `ELSE ${x} END`;
    return plain(`CASE WHEN ${x} ${beyond} ${y} THEN ${y} ${otherwise}`);
  }

  override clamp(x: SqlNumber, low: SqlNumber, high: SqlNumber): SqlNumber {
    if (low.constant === undefined || high.constant === undefined) return super.clamp(x, low, high);
    const value = this.layers.let(x.sql);
    return plain(
      `CASE WHEN ${value} < ${low.sql} THEN ${low.sql} WHEN ${value} > ${high.sql} THEN ${high.sql} ELSE ${value} END`,
    );
  }

  override rounded(sql: string, _most: number, uncertain: Uncertain): SqlNumber {
    return { ...plain(sql), uncertain };
  }

  override sqrt(a: SqlNumber): SqlNumber {
    this.differences.add('the root of a negative number has no value');
    const x = this.layers.let(a.sql);
    return plain(`CASE WHEN ${x} >= 0 THEN sqrt(${x}) END`);
  }

  override exp(a: SqlNumber): SqlNumber {
    this.#differs('exp');
    if (this.dialect.name !== 'postgres') return plain(`exp(${a.sql})`);
    const x = this.layers.let(a.sql);
    const [low, high] = [this.literal(-EXP_LIMIT), this.literal(EXP_LIMIT)];
    return plain(`CASE WHEN ${x} BETWEEN ${low} AND ${high} THEN exp(${x}) WHEN ${x} < ${low} THEN 0.0 END`);
  }

  override logarithm(which: 'ln' | 'log2', a: SqlNumber): SqlNumber {
    this.#differs(which);
    const x = this.layers.let(a.sql);
    const log = which === 'ln' ? `ln(${x})` : this.dialect.log2(x);
    const infinite = `CAST('-Infinity' AS ${this.dialect.types.number})`;
    if (a.constant !== undefined && a.constant > 0) return plain(log);
    return plain(`CASE WHEN ${x} > 0 THEN ${log} WHEN ${x} = 0 THEN ${infinite} END`);
  }

  override power(a: SqlNumber, b: SqlNumber): SqlNumber {
    this.#differs('pow');
    if (this.dialect.name !== 'postgres') return plain(`power(${a.sql}, ${b.sql})`);
    // As an exponential function, whose limits are known.
    return this.exp(this.multiply(b, this.logarithm('ln', a)));
  }

  #differs(name: string): void {
    this.differences.add(`${name} differs between databases in the last digits`);
  }
}

const plain = (sql: string): SqlNumber => exactNumber(sql, 0);

/** The fields that a profile reads and the table does not have, or has as another type. */
export interface UnreadFields {
  readonly missing: Set<string>;
  readonly mistyped: Set<string>;
}

/** Reads columns by their own names, with casts only where a calculation needs them. */
export class PlainFields extends Fields {
  constructor(
    dialect: Dialect,
    relation: Pick<Relation, 'column'>,
    private readonly plainLayers: PlainLayers,
    /** Receives why a number may differ from the engine's. */
    private readonly differences: Set<string>,
    private readonly unread: UnreadFields,
  ) {
    super(dialect, relation, plainLayers);
  }

  protected override find(steps: readonly PathStep[]): Field | undefined {
    const field = super.find(steps);
    if (!field) this.unread.missing.add(steps.map((step) => (step.kind === 'key' ? step.key : step.kind)).join('.'));
    return field;
  }

  /** Notes a column whose values have no value of the type that its reader needs. */
  #mistyped({ column: { name, type } }: Field, as: string): void {
    this.unread.mistyped.add(`${name} is ${type}, and is read as a ${as}`);
    this.differences.add(`${name} is ${type}, and is read as a ${as}`);
  }

  protected override nameOf(column: string): string {
    return this.dialect.identifier(column);
  }

  override isPresent(steps: readonly PathStep[]): SqlBool {
    const field = this.find(steps);
    if (!field) return { kind: 'bool', sql: 'FALSE', uncertain: [] };
    const sql = field.column.kind === 'json' ? this.json(field).isPresent : `(${field.sql} IS NOT NULL)`;
    return { kind: 'bool', sql, uncertain: [] };
  }

  override number(steps: readonly PathStep[]): SqlNumber {
    const field = this.find(steps);
    if (!field) return absentNumber(this.dialect);
    const { kind, type, name } = field.column;
    if (kind === 'json') return plain(this.plainLayers.define(`${name}_number`, this.json(field).number));
    if (kind === 'time') return plain(this.#time(field));
    if (kind === 'number' || kind === 'integer') {
      if (/decimal|numeric|hugeint/i.test(type)) this.differences.add(`${name} is a decimal, which is rounded`);
      return plain(isDouble(type) ? field.sql : `CAST(${field.sql} AS ${this.dialect.types.number})`);
    }
    this.#mistyped(field, 'number');
    return absentNumber(this.dialect);
  }

  override bool(steps: readonly PathStep[]): SqlBool {
    const field = this.find(steps);
    if (field?.column.kind === 'json') return { kind: 'bool', sql: this.json(field).bool, uncertain: [] };
    const isBool = field?.column.kind === 'bool';
    if (field && !isBool) this.#mistyped(field, 'boolean');
    return { kind: 'bool', sql: isBool ? field.sql : `CAST(NULL AS ${this.dialect.types.bool})`, uncertain: [] };
  }

  override text(steps: readonly PathStep[]): SqlText {
    const field = this.find(steps);
    const { text } = this.dialect.types;
    if (field && field.column.kind !== 'text' && field.column.kind !== 'json') this.#mistyped(field, 'text');
    return { kind: 'string', sql: field ? textOf(this.dialect, field) : `CAST(NULL AS ${text})`, uncertain: [] };
  }

  override millis(steps: readonly PathStep[]): SqlNumber {
    const field = this.find(steps);
    if (field?.column.kind !== 'text' && field?.column.kind !== 'json') return this.number(steps);
    const text = field.column.kind === 'json' ? this.json(field).text : textOf(this.dialect, field);
    if (this.dialect.name === 'duckdb') return plain(duckdbMillis(`TRY_CAST(${text} AS TIMESTAMP)`));
    return plain(this.plainLayers.let(isoMillis(this.dialect, text)));
  }

  #time({ sql, column: { type } }: Field): string {
    const { name, types } = this.dialect;
    if (name === 'duckdb') return duckdbMillis(type.startsWith('TIMESTAMP') ? sql : `CAST(${sql} AS TIMESTAMP)`);
    if (name === 'postgres') return `CAST(extract(epoch FROM ${sql}) * 1000 AS ${types.number})`;
    return `CAST(${this.dialect.millis(sql, type)} AS ${types.number})`;
  }
}

const duckdbMillis = (timestamp: string): string => `CAST(epoch_ms(${timestamp}) AS DOUBLE)`;

const isDouble = (type: string): boolean => /^(double|double precision|float8)$/i.test(type);

function textOf(dialect: Dialect, { sql, column: { kind, type }, ...field }: Field): string {
  if (kind === 'json') return dialect.json?.(sql, field.keys).text ?? sql;
  if (kind !== 'text') return `CAST(NULL AS ${dialect.types.text})`;
  return /^(varchar|text|string|character varying)/i.test(type) ? sql : `CAST(${sql} AS ${dialect.types.text})`;
}
