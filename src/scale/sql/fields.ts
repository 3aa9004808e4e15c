import { MOST_MILLIS } from '../../data/index.js';
import type { PathStep } from '../../expression/index.js';
import { type Column, type Dialect, type JsonParts, Untranslatable } from './dialect.js';
import type { Relation } from './relation.js';
import {
  absent,
  type Layers,
  numberLiteral,
  type SqlBool,
  type SqlKind,
  type SqlNumber,
  type SqlText,
} from './values.js';

/**
 * Rows with numbers of other magnitudes are uncertain. Within these limits a product of several numbers neither
 * overflows nor underflows; PostgreSQL fails the statement on either.
 */
const MOST = 1e60;
export const LEAST = 1e-60;

/** The value that names a group. */
export interface GroupValue {
  /** Never shown: its type and form are the database's. */
  readonly sql: string;
  /** When rows of different groups may have the same value, or rows of one group different values. */
  readonly uncertain: readonly string[];
}

/** A field of a candidate: a column, or a value inside a JSON column. */
export interface Field {
  readonly column: Column;
  /** The path in a JSON column. */
  readonly keys: readonly string[];
  readonly sql: string;
}

/**
 * Translates fields of a candidate to SQL, as the type that the reader needs. A row whose value has another type is
 * uncertain.
 */
export class Fields {
  readonly #columns = new Map<string, string>();

  constructor(
    protected readonly dialect: Dialect,
    private readonly relation: Pick<Relation, 'column'>,
    private readonly layers: Layers,
  ) {}

  /** The columns that were read, with their names in the statement. Own names avoid conflicts. */
  get columns(): ReadonlyMap<string, string> {
    return this.#columns;
  }

  /** The kind of a field if it is the same for all rows; otherwise undefined. */
  kindOf(steps: readonly PathStep[]): SqlKind | undefined {
    const kind = this.find(steps)?.column.kind;
    if (kind === 'number' || kind === 'integer' || kind === 'time') return 'number';
    return kind === 'bool' ? kind : kind === 'text' ? 'string' : undefined;
  }

  isPresent(steps: readonly PathStep[]): SqlBool {
    const field = this.find(steps);
    if (!field) return { kind: 'bool', sql: 'FALSE', uncertain: [] };
    if (field.column.kind === 'time')
      return { kind: 'bool', sql: `(${this.#date(field).sql} IS NOT NULL)`, uncertain: [] };
    if (field.column.kind !== 'json') return { kind: 'bool', sql: `(${field.sql} IS NOT NULL)`, uncertain: [] };
    const { isPresent, uncertain } = this.json(field);
    return { kind: 'bool', sql: this.layers.let(isPresent), uncertain };
  }

  number(steps: readonly PathStep[]): SqlNumber {
    const field = this.find(steps);
    if (!field) return this.#absent('number');
    const { kind, type } = field.column;
    if (kind === 'time') return this.#date(field);
    if (kind === 'integer') {
      const sql = this.layers.let(this.dialect.double(field.sql, type));
      return { kind: 'number', sql, error: undefined, most: 2 ** 64, uncertain: [] };
    }
    const [given, present, uncertain] = this.#parts(field, 'number', () => this.dialect.double(field.sql, type));
    const [most, least] = [MOST, LEAST].map((limit) => numberLiteral(this.dialect, limit));
    const x = this.layers.let(given);
    // Databases compare NaN differently, as greater than every number or as unordered. Here it fails either test.
    const sql = this.layers.let(
      `CASE WHEN ${x} <= ${most} AND ${x} >= -${most} AND (abs(${x}) >= ${least} OR ${x} = 0) THEN ${x} END`,
    );
    const wrong = this.layers.let(`(${present} AND ${sql} IS NULL)`);
    return { kind: 'number', sql, error: undefined, most: MOST, uncertain: [...uncertain, wrong] };
  }

  bool(steps: readonly PathStep[]): SqlBool {
    const field = this.find(steps);
    return field
      ? { kind: 'bool', ...this.#typed(field, 'bool') }
      : { kind: 'bool', sql: this.#absent('bool').sql, uncertain: [] };
  }

  text(steps: readonly PathStep[]): SqlText {
    const field = this.find(steps);
    return field
      ? { kind: 'string', ...this.#typed(field, 'text') }
      : { kind: 'string', sql: this.#absent('string').sql, uncertain: [] };
  }

  /** A time in milliseconds, from a number, a date, or a text in a common form of ISO 8601. */
  millis(steps: readonly PathStep[]): SqlNumber {
    const field = this.find(steps);
    if (!field) return this.#absent('number');
    const { kind, type } = field.column;
    if (kind === 'number' || kind === 'integer' || kind === 'time') return this.number(steps);
    const [number, present, uncertain] = this.#parts(
      field,
      'number',
      () => `CAST(NULL AS ${this.dialect.types.number})`,
    );
    const [text] = this.#parts(field, 'text', () => this.dialect.textOf(field.sql, type));
    const found = `coalesce(${this.layers.let(number)}, ${isoMillis(this.dialect, this.layers.let(text))})`;
    const limit = numberLiteral(this.dialect, 1e18);
    const x = this.layers.let(found);
    const sql = this.layers.let(
      `CASE WHEN abs(${x}) <= ${limit} AND (abs(${x}) >= ${numberLiteral(this.dialect, LEAST)} OR ${x} = 0) THEN ${x} END`,
    );
    const wrong = this.layers.let(`(${present} AND ${sql} IS NULL)`);
    return { kind: 'number', sql, error: undefined, most: 1e18, uncertain: [...uncertain, wrong] };
  }

  /** A date in milliseconds; NULL if a `Date` cannot hold it. */
  #date({ sql, column: { type } }: Field): SqlNumber {
    const millis = this.layers.let(this.dialect.millis(sql, type));
    const [number, most] = [
      `CAST(${millis} AS ${this.dialect.types.number})`,
      numberLiteral(this.dialect, MOST_MILLIS),
    ];
    const held = this.layers.let(`CASE WHEN abs(${number}) <= ${most} THEN ${number} END`);
    return { kind: 'number', sql: held, error: undefined, most: MOST_MILLIS, uncertain: [] };
  }

  /** Whether a field has a date that is infinite or out of the range of `Date`. */
  isInfinite(steps: readonly PathStep[]): string {
    const field = this.find(steps);
    return field?.column.kind === 'time' ? `(${field.sql} IS NOT NULL AND ${this.#date(field).sql} IS NULL)` : 'FALSE';
  }

  /** The value that names a row's group: equal for equal values, NULL if it is absent. */
  group(steps: readonly PathStep[]): GroupValue {
    const field = this.find(steps);
    if (!field) return { sql: this.#absent('string').sql, uncertain: [] };
    const { dialect, layers } = this;
    const { kind, type } = field.column;
    if (kind === 'bool') return { sql: field.sql, uncertain: [] };
    if (kind === 'text') return { sql: dialect.textOf(field.sql, type), uncertain: [] };
    if (kind === 'time') return { sql: this.#date(field).sql, uncertain: [] };
    const [most, largest] = [Number.MAX_SAFE_INTEGER, Number.MAX_VALUE].map((limit) => numberLiteral(dialect, limit));
    const lost = (x: string): string => `coalesce(abs(${x}) > ${most} AND abs(${x}) <= ${largest}, FALSE)`;
    if (kind !== 'json') {
      const x = layers.let(dialect.double(field.sql, type));
      return {
        sql: kind === 'integer' ? field.sql : `CASE WHEN ${x} = 0 THEN ${numberLiteral(dialect, 0)} ELSE ${x} END`,
        uncertain: [lost(x)],
      };
    }
    const parts = this.json(field);
    const [number, text, bool] = [parts.number, parts.text, parts.bool].map((part) => layers.let(part));
    const { types } = dialect;
    const plus = `(${number} + ${numberLiteral(dialect, 0)})`; // −0 and 0 are one group
    const sql = layers.let(
      `CASE WHEN ${text} IS NOT NULL THEN 's' || ${text} WHEN ${number} IS NOT NULL THEN 'n' || CAST(${plus} AS ${types.text}) ` +
        `WHEN ${bool} IS NOT NULL THEN CASE WHEN ${bool} THEN 'true' ELSE 'false' END END`,
    );
    return { sql, uncertain: [...parts.uncertain, `(${parts.isPresent} AND ${sql} IS NULL)`, lost(number!)] };
  }

  #typed(field: Field, as: 'bool' | 'text'): { readonly sql: string; readonly uncertain: readonly string[] } {
    const typed = (): string => (as === 'text' ? this.dialect.textOf(field.sql, field.column.type) : field.sql);
    const [value, present, uncertain] = this.#parts(field, as, typed);
    if (field.column.kind === as) return { sql: value, uncertain };
    const sql = this.layers.let(value);
    return { sql, uncertain: [...uncertain, this.layers.let(`(${present} AND ${sql} IS NULL)`)] };
  }

  /** A field as one type: its value, NULL if it has another type; whether it is present; and when this is uncertain. */
  #parts(
    field: Field,
    as: 'number' | 'bool' | 'text',
    typed: () => string,
  ): readonly [value: string, present: string, uncertain: readonly string[]] {
    const { kind } = field.column;
    if (kind === 'json') {
      const parts = this.json(field);
      return [parts[as], parts.isPresent, parts.uncertain];
    }
    const present = `(${field.sql} IS NOT NULL)`;
    if (kind === as) return [typed(), present, []];
    const { types } = this.dialect;
    return [`CAST(NULL AS ${types[as]})`, present, []];
  }

  /** @throws Untranslatable if the dialect reads no JSON */
  protected json({ sql, keys }: Field): JsonParts {
    const parts = this.dialect.json?.(sql, keys);
    if (!parts) throw new Untranslatable(`${this.dialect.name} statements read no JSON documents`);
    return parts;
  }

  /** The field at a path; undefined if the table has no such column. */
  protected find(steps: readonly PathStep[]): Field | undefined {
    const keys = steps.map((step) => {
      if (step.kind === 'key') return step.key;
      throw new Untranslatable('it reads elements of a list');
    });
    const [name = '', ...rest] = keys;
    const column = this.relation.column(name);
    if (!column) return undefined;
    if (column.kind === 'other') throw new Untranslatable(`the column ${name} is of the type ${column.type}`);
    if (rest.length > 0 && column.kind !== 'json') return undefined; // a value that is not an object has no fields
    return { column, keys: rest, sql: this.use(name) };
  }

  /** Reads a column, and returns its name in the statement. */
  use(column: string): string {
    const sql = this.nameOf(column);
    this.#columns.set(column, sql);
    return sql;
  }

  /** The name of a column in the statement. */
  protected nameOf(column: string): string {
    return this.#columns.get(column) ?? `c${this.#columns.size}`;
  }

  #absent(kind: 'number'): SqlNumber;
  #absent(kind: SqlKind): { readonly sql: string };
  #absent(kind: SqlKind) {
    return absent(this.dialect, kind);
  }
}

/** Every valid date of a four-digit year, except 29 February. Databases disagree about invalid dates, or fail. */
const DATE =
  '[1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))';
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{3})?Z';

const SIZES = [
  [12, 3_600_000],
  [15, 60_000],
  [18, 1000],
] as const;

/**
 * A text such as `2011-01-31`, `2011-01-31T12:00:00Z` or `2011-01-31T12:00:00.123Z` in milliseconds. NULL for any other
 * text, which may be another form of ISO 8601. Exact, because it only adds whole numbers.
 */
export function isoMillis({ matches, days, types }: Dialect, text: string): string {
  const date = `(${days(`substr(${text}, 1, 10)`)} * 86400000)`;
  const number = (start: number, length: number): string =>
    `CAST(substr(${text}, ${start}, ${length}) AS ${types.number})`;
  const parts = SIZES.map(([start, millis]) => `${number(start, 2)} * ${millis}`);
  const fraction = `CASE WHEN substr(${text}, 20, 1) = '.' THEN ${number(21, 3)} ELSE 0 END`;
  return (
    `CASE WHEN ${matches(text, DATE)} THEN ${date} ` +
    `WHEN ${matches(text, `${DATE}T${TIME}`)} THEN ${[date, ...parts, fraction].join(' + ')} END`
  );
}
