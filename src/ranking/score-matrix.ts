import {
  childPaths,
  effectiveWeights,
  fillChildColumns,
  fillRuleColumns,
  measureColumn,
  type CellReading,
  combinedTotals,
  fillScoreColumns,
  readCell,
  type ScoreColumn,
  type ScoreColumns,
  columnNotEvaluated,
  type Plan,
  type RunResult,
} from '../engine/index.js';

/** One entry's numbers, by row. */
export interface Column {
  /** The numbers that the unit returned, before weights; NaN if it did not return one. */
  readonly values: Float64Array;
  /**
   * The numbers that are combined: after the entry's `on_absent`, `on_error` and `out_of_range`; NaN if the entry is
   * skipped in the row. The same array as `values` if they are equal. For a nested entry: the numbers that the outer
   * entry receives.
   */
  readonly resolved: Float64Array;
  /** By row, an index of `CELL_STATES`. */
  readonly states: Uint8Array;
}

/** The effect of one rule, by row. */
export interface RuleColumn {
  /** 1 if it fired. */
  readonly fired: Uint8Array;
  /** The score after it. */
  readonly totals: Float64Array;
}

/** The weights of a scorer's resolved scores: one number for all rows, or one for each; undefined if it has no weight. */
export type EntryWeights = number | Float64Array | undefined;

/** The source of a matrix. Computes arrays on first use, and again after they were transferred. */
interface MatrixSource {
  /** The ids of measures, then scorers. */
  readonly entries: readonly string[];
  /** The paths of nested entries: `relevance/bm25`. */
  readonly children: readonly string[];
  /** The ids of the rules. */
  readonly rules: readonly string[];
  readonly totals: Float64Array;
  combined(): Float64Array;
  cell(entry: string, row: number): CellReading;
  columns(): ReadonlyMap<string, Column>;
  childColumns(): ReadonlyMap<string, Column>;
  weights(): ReadonlyMap<string, EntryWeights>;
  ruleColumns(): ReadonlyMap<string, RuleColumn>;
}

/** A whole matrix as plain data, for `postMessage`. */
export interface MatrixData {
  readonly index: Int32Array;
  readonly totals: Float64Array;
  readonly combined: Float64Array;
  readonly columns: Readonly<Record<string, Column & { readonly weights: EntryWeights }>>;
  readonly rules: Readonly<Record<string, RuleColumn>>;
}

/**
 * The numbers of one run: a row for each ranked candidate, in the order of the input, and a column for each measure,
 * scorer, nested entry and rule. The first access to a column fills all columns of its kind in one pass. Do not write
 * to the arrays: the matrix owns them, and the columns of scorers share one buffer.
 */
export class ScoreMatrix {
  readonly #source: MatrixSource;

  constructor(
    source: MatrixSource,
    /** By row: the position of the candidate in the input. */
    readonly index: Int32Array,
  ) {
    this.#source = source;
  }

  /** The ids of measures, then scorers. */
  get entries(): readonly string[] {
    return this.#source.entries;
  }

  /** The paths of nested entries, `parent/child`: the `id`, else the class or expression; `name#2` if the name repeats. */
  get children(): readonly string[] {
    return this.#source.children;
  }

  /** The ids of the rules, in order. */
  get rules(): readonly string[] {
    return this.#source.rules;
  }

  /** By row: the final score. */
  get totals(): Float64Array {
    return this.#source.totals;
  }

  /** By row: the score before the rules. */
  get combined(): Float64Array {
    return this.#source.combined();
  }

  /** One cell of an entry's column, without the rest of it. */
  cell(entry: string, row: number): CellReading {
    return this.#source.cell(entry, row);
  }

  /**
   * The numbers of one entry, by its id, or by its path if it is nested.
   *
   * @throws RangeError if the profile does not have the entry
   */
  column(entry: string): Column {
    const inside = this.children.includes(entry);
    if (!inside) mustHave('entry', entry, this.entries);
    return (inside ? this.#source.childColumns() : this.#source.columns()).get(entry)!;
  }

  /**
   * The effective weights of one entry: normalized, of the case that applies to the row, and scaled up if other scores
   * are missing; 0 if its own score is missing. In a sum or mean, resolved score × weight is its contribution.
   *
   * One number if it is the same for all rows, else one for each row. Undefined for a measure, and if the combine
   * method does not use weights. For a nested entry: its weight among its siblings, as written.
   *
   * @throws RangeError if the profile does not have the entry
   */
  weights(entry: string): EntryWeights {
    mustHave('entry', entry, [...this.entries, ...this.children]);
    return this.#source.weights().get(entry);
  }

  /**
   * The effect of one rule.
   *
   * @throws RangeError if the profile does not have the rule
   */
  rule(id: string): RuleColumn {
    mustHave('rule', id, this.rules);
    return this.#source.ruleColumns().get(id)!;
  }

  /**
   * The whole matrix as plain data, to post to a worker or a page without copying the columns:
   *
   * ```ts
   * const { data, transfer } = ranking.matrix.transferable();
   * worker.postMessage(data, transfer);
   * ```
   *
   * The next access computes transferred columns again.
   */
  transferable(): { readonly data: MatrixData; readonly transfer: ArrayBuffer[] } {
    const { index, totals, entries, children, rules } = this;
    const column = (entry: string) => [entry, { ...this.column(entry), weights: this.weights(entry) }] as const;
    const data: MatrixData = {
      index: index.slice(),
      totals: totals.slice(),
      combined: this.combined.slice(),
      columns: Object.fromEntries([...entries, ...children].map(column)),
      rules: Object.fromEntries(rules.map((id) => [id, this.rule(id)])),
    };
    return { data, transfer: buffersOf(data) };
  }

  /** The same numbers with other positions of the candidates. */
  withIndex(index: Int32Array): ScoreMatrix {
    return new ScoreMatrix(this.#source, index);
  }
}

function mustHave(what: string, id: string, ids: readonly string[]): void {
  if (!ids.includes(id)) throw new RangeError(`no ${what} ${id}; there are ${ids.join(', ')}`);
}

/** The distinct buffers: two columns may share an array, and a buffer cannot be transferred twice. */
function buffersOf({ index, totals, combined, columns, rules }: MatrixData): ArrayBuffer[] {
  const parts = [...Object.values(columns), ...Object.values(rules)].flatMap((part): unknown[] => Object.values(part));
  const arrays = [index, totals, combined, ...parts].filter((one) => ArrayBuffer.isView(one));
  return [...new Set(arrays.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}

/** The columns of a run. Filled on first use, and again after they were transferred. */
export class RunColumns {
  #columns: ScoreColumns | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
  ) {}

  get(): ScoreColumns {
    const isLost = this.#columns?.scorers.some(({ resolved }) => resolved.length !== this.result.kept.length);
    if (!this.#columns || isLost) this.#columns = fillScoreColumns(this.plan, this.result);
    return this.#columns;
  }
}

/** The column of a nested entry, with its weight among its siblings. */
type ChildColumn = Column & { readonly weight: number };

/** The numbers of a run for its matrix. */
export class RunMatrix implements MatrixSource {
  readonly entries: readonly string[];
  readonly children: readonly string[];
  readonly rules: readonly string[];
  readonly #scorers: readonly string[];
  #columns: ReadonlyMap<string, Column> | undefined;
  #children: ReadonlyMap<string, ChildColumn> | undefined;
  #weights: ReadonlyMap<string, EntryWeights> | undefined;
  #combined: Float64Array | undefined;
  #rules: ReadonlyMap<string, RuleColumn> | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly result: RunResult,
    private readonly runColumns: RunColumns,
  ) {
    const { measures, scorers } = plan.profile;
    this.entries = [...measures, ...scorers].map(({ id }) => id);
    this.children = childPaths(plan);
    this.rules = plan.rules.map(({ id }) => id);
    this.#scorers = result.scored.scoring.active.map(({ entry }) => entry.id);
  }

  get totals(): Float64Array {
    return this.result.totals;
  }

  combined(): Float64Array {
    return (this.#combined ??= combinedTotals(this.plan, this.result, this.runColumns.get()));
  }

  cell(entry: string, row: number): CellReading {
    return readCell(this.plan, this.result, entry, this.result.rows?.[row] ?? row);
  }

  columns(): ReadonlyMap<string, Column> {
    if (!this.#columns || this.#isLost(this.#columns)) this.#columns = this.#fillColumns();
    return this.#columns;
  }

  childColumns(): ReadonlyMap<string, ChildColumn> {
    if (!this.#children || this.#isLost(this.#children)) {
      const filled = fillChildColumns(this.plan, this.result);
      this.#children = new Map(
        Array.from(filled, ([path, one]) => [path, { ...this.#ranked(one), weight: one.weight }]),
      );
    }
    return this.#children;
  }

  weights(): ReadonlyMap<string, EntryWeights> {
    const lost = [...(this.#weights?.values() ?? [])].some(
      (one) => typeof one === 'object' && one.length !== this.totals.length,
    );
    if (!this.#weights || lost) this.#weights = this.#fillWeights();
    return this.#weights;
  }

  ruleColumns(): ReadonlyMap<string, RuleColumn> {
    const lost = [...(this.#rules?.values() ?? [])].some(({ fired }) => fired.length !== this.totals.length);
    if (!this.#rules || lost) {
      const filled = fillRuleColumns(this.plan, this.result, this.runColumns.get(), this.combined());
      this.#rules = new Map(this.rules.map((id, k) => [id, filled[k]!]));
    }
    return this.#rules;
  }

  #fillColumns(): ReadonlyMap<string, Column> {
    const { plan, result } = this;
    const { scorers } = this.runColumns.get();
    const scorerColumn = (id: string): ScoreColumn =>
      scorers[this.#scorers.indexOf(id)] ?? columnNotEvaluated(result.kept.length);
    return new Map([
      ...plan.profile.measures.map(({ id }) => [id, this.#ranked(measureColumn(plan, result, id))] as const),
      ...plan.profile.scorers.map(({ id }) => [id, this.#ranked(scorerColumn(id))] as const),
    ]);
  }

  #fillWeights(): ReadonlyMap<string, EntryWeights> {
    const weights = effectiveWeights(this.plan, this.result, this.runColumns.get());
    return new Map<string, EntryWeights>([
      ...this.#scorers.map((id, k) => [id, weights?.[k]] as const),
      ...Array.from(this.childColumns(), ([path, { weight }]) => [path, weight] as const),
    ]);
  }

  /** Converts a column of Tier 2 rows to rows of the ranking. They are the same if no row was refused in Tier 2. */
  #ranked({ raw, resolved, states }: ScoreColumn): Column {
    const { rows } = this.result;
    if (!rows) return { values: raw, resolved, states };
    const values = Float64Array.from(rows, (row) => raw[row]!);
    return {
      values,
      resolved: resolved === raw ? values : Float64Array.from(rows, (row) => resolved[row]!),
      states: Uint8Array.from(rows, (row) => states[row]!),
    };
  }

  #isLost(columns: ReadonlyMap<string, Column>): boolean {
    return [...columns.values()].some(({ values }) => values.length !== this.totals.length);
  }
}
