/** The names that `let` gives; a text that only looks like one costs a layer and changes nothing. */
const NAME = /\bv(\d+)\b/g;

interface NamedValue {
  readonly name: string;
  readonly sql: string;
  readonly depth: number;
}

/**
 * Values that are computed once and read by name: SQL has no `let`, so each becomes a column of a subquery, below those
 * that read it. Without names a statement would grow with each reading, exponentially in the depth of an expression.
 */
export class Layers {
  readonly #values: NamedValue[] = [];
  readonly #names = new Map<string, string>();

  /** The name of a value; the value itself where it is a name, a literal or NULL. */
  let(sql: string): string {
    if (/^v\d+$/.test(sql) || /^CAST\('[^']*' AS [^()']*\)$/.test(sql)) return sql;
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    const name = `v${this.#values.length}`;
    let depth = 0;
    for (const [, index] of sql.matchAll(NAME)) {
      depth = Math.max(depth, (this.#values[Number(index)]?.depth ?? -1) + 1);
    }
    this.#values.push({ name, sql, depth });
    this.#names.set(sql, name);
    return name;
  }

  /**
   * The values around a query, one subquery a layer.
   *
   * @param fence what keeps a planner from merging a subquery with the next, which would compute its values again
   */
  around(query: string, fence: string): string {
    const depth = Math.max(-1, ...this.#values.map((value) => value.depth));
    let around = query;
    for (let layer = 0; layer <= depth; layer++) {
      const columns = this.#values.filter((value) => value.depth === layer).map(({ name, sql }) => `${sql} AS ${name}`);
      around = `SELECT d${layer}.*,\n  ${columns.join(',\n  ')}\nFROM (\n${around}\n) AS d${layer}${fence}`;
    }
    return around;
  }
}
