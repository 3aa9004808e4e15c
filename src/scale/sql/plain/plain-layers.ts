import { Layers } from '../values.js';

/** The length up to which an expression is repeated rather than named. */
const SHORT = 60;

/** The name of a column that has no better one. */
const PART = 'part';

interface NamedColumn {
  readonly name: string;
  readonly sql: string;
  readonly depth: number;
}

/**
 * A statement as a chain of WITH queries that a person can read from top to bottom. Each query adds columns to those of
 * the query before it, or removes rows.
 */
export class PlainLayers extends Layers {
  readonly #queries: string[] = [];
  readonly #used = new Set<string>();
  /** All columns; those of earlier queries can be read in later ones. */
  #defined: NamedColumn[] = [];
  #pending: NamedColumn[] = [];
  #from: string;

  /**
   * @param from    the table, as SQL after FROM
   * @param taken   names of columns that exist already
   * @param quote   quotes a name
   */
  constructor(
    from: string,
    taken: Iterable<string>,
    private readonly quote: (name: string) => string,
  ) {
    super();
    this.#from = from;
    for (const name of taken) this.#used.add(name.toLowerCase());
  }

  /** Repeats a short expression; names a longer one. */
  override let(sql: string): string {
    return sql.length <= SHORT ? sql : this.define(PART, sql);
  }

  /** Adds a column. Returns its name, quoted. */
  define(wanted: string, sql: string): string {
    const known = this.#defined.find((one) => one.sql === sql);
    if (known) return known.name;
    if (wanted !== PART) {
      const part = this.#pending.find((one) => one.name === sql);
      if (part) return this.#rename(part, wanted);
    }
    const name = this.quote(this.unusedName(wanted));
    const depth = Math.max(0, ...this.#pending.filter((one) => sql.includes(one.name)).map((one) => one.depth + 1));
    const column = { name, sql, depth };
    this.#pending.push(column);
    this.#defined.push(column);
    return name;
  }

  #rename(part: NamedColumn, wanted: string): string {
    const name = this.quote(this.unusedName(wanted));
    const renamed = (one: NamedColumn): NamedColumn => ({
      ...one,
      name: one.name === part.name ? name : one.name,
      sql: one.sql.replaceAll(part.name, name),
    });
    this.#pending = this.#pending.map(renamed);
    this.#defined = this.#defined.map(renamed);
    return name;
  }

  /** A name that no column has yet. */
  unusedName(wanted: string): string {
    let name = wanted;
    for (let nth = 2; this.#used.has(name.toLowerCase()); nth++) name = `${wanted}_${nth}`;
    this.#used.add(name.toLowerCase());
    return name;
  }

  /** Adds queries for the columns that were defined. The last one has the given name. */
  flush(query: string): void {
    const depths = [...new Set(this.#pending.map(({ depth }) => depth))].toSorted((a, b) => a - b);
    for (const depth of depths) {
      const columns = this.#pending.filter((one) => one.depth === depth).map(({ name, sql }) => `${sql} AS ${name}`);
      const isLast = depth === depths.at(-1);
      this.#add(isLast ? query : `${query}_${depth + 1}`, `SELECT\n    *,\n    ${columns.join(',\n    ')}`);
    }
    this.#pending = [];
  }

  /** Adds a query that keeps only some rows. */
  where(query: string, conditions: readonly string[]): void {
    if (conditions.length === 0) return;
    this.flush(`${query}_from`);
    this.#add(query, 'SELECT *', `\n  WHERE ${conditions.join('\n    AND ')}`);
  }

  /** The statement that ends with a query of the last rows. */
  statement(select: string, rest: string): string {
    const last = `${select}\nFROM ${this.#from}${rest}`;
    return this.#queries.length === 0 ? last : `WITH ${this.#queries.join(',\n')}\n${last}`;
  }

  #add(query: string, select: string, rest = ''): void {
    const name = this.unusedName(query);
    this.#queries.push(`${name} AS (\n  ${select}\n  FROM ${this.#from}${rest}\n)`);
    this.#from = name;
  }
}
