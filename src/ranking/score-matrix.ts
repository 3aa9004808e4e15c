import type { CellReading } from '../engine/index.js';

/** One entry's numbers, by row. */
export interface Column {
  /** As the unit returned them, before weights; NaN where it returned none. */
  readonly values: Float64Array;
  /**
   * What is combined: after the entry's `on_absent`, `on_error` and `out_of_range`; NaN where they leave it out of the
   * row. The same array as `values` where they changed nothing. Of an entry inside another: what that one gets.
   */
  readonly resolved: Float64Array;
  /** By row, an index of `CELL_STATES`. */
  readonly states: Uint8Array;
}

/** What one rule did, by row. */
export interface RuleColumn {
  /** 1 where it fired. */
  readonly fired: Uint8Array;
  /** The score after it. */
  readonly totals: Float64Array;
}

/** What a scorer's resolved score counts with: one number for all rows, or one for each; undefined where it has none. */
export type EntryWeights = number | Float64Array | undefined;

/** Where a matrix gets its numbers: each is read once, and again where what it gave was transferred. */
export interface MatrixSource {
  /** The ids of measures, then scorers. */
  readonly entries: readonly string[];
  /** The paths of entries inside others: `relevance/bm25`. */
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
 * scorer, entry inside another, and rule. All columns of a kind are filled in one pass when one of them is first asked
 * for. The arrays are the matrix's own and not to be written; the columns of scorers share one buffer.
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

  /** The entries inside others, as `parent/child`: its `id`, else its class or expression; of several, `name#2`. */
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
   * The numbers of one entry, by its id, or by its path where it is inside another.
   *
   * @throws RangeError when the profile has no such entry
   */
  column(entry: string): Column {
    const inside = this.children.includes(entry);
    if (!inside) mustHave('entry', entry, this.entries);
    return (inside ? this.#source.childColumns() : this.#source.columns()).get(entry)!;
  }

  /**
   * What the resolved scores of one entry count with: normalized, by the case of `weights` that holds, and scaled where
   * others are missing; 0 where it is left out itself. In a sum or mean, score × weight is its contribution. One number
   * where it is the same for all rows, else one for each; undefined of a measure, and where the combine reads no weights.
   * Of an entry inside another: its weight among its siblings, as written.
   *
   * @throws RangeError when the profile has no such entry
   */
  weights(entry: string): EntryWeights {
    mustHave('entry', entry, [...this.entries, ...this.children]);
    return this.#source.weights().get(entry);
  }

  /**
   * What one rule did.
   *
   * @throws RangeError when the profile has no such rule
   */
  rule(id: string): RuleColumn {
    mustHave('rule', id, this.rules);
    return this.#source.ruleColumns().get(id)!;
  }

  /**
   * Everything as plain data, to be posted to a worker or a page without a copy of the columns:
   *
   * ```ts
   * const { data, transfer } = ranking.matrix.transferable();
   * worker.postMessage(data, transfer);
   * ```
   *
   * What was transferred is computed again when it is next read.
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

  /** The same numbers, where the candidates have other positions. */
  withIndex(index: Int32Array): ScoreMatrix {
    return new ScoreMatrix(this.#source, index);
  }
}

function mustHave(what: string, id: string, ids: readonly string[]): void {
  if (!ids.includes(id)) throw new RangeError(`no ${what} ${id}; there are ${ids.join(', ')}`);
}

/** Each buffer once: two columns may be one array, and a buffer cannot be transferred twice. */
function buffersOf({ index, totals, combined, columns, rules }: MatrixData): ArrayBuffer[] {
  const parts = [...Object.values(columns), ...Object.values(rules)].flatMap((part): unknown[] => Object.values(part));
  const arrays = [index, totals, combined, ...parts].filter((one) => ArrayBuffer.isView(one));
  return [...new Set(arrays.map(({ buffer }) => buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}
