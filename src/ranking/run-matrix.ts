import {
  type CellReading,
  childPaths,
  combinedTotals,
  effectiveWeights,
  fillChildColumns,
  fillRuleColumns,
  fillScoreColumns,
  measureColumn,
  type Plan,
  readCell,
  type RunResult,
  type ScoreColumn,
  type ScoreColumns,
  columnNotEvaluated,
} from '../engine/index.js';
import type { Column, EntryWeights, MatrixSource, RuleColumn } from './score-matrix.js';

/** The columns of a run: filled when first asked for, and filled again when they have been transferred. */
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

/** The column of an entry inside another, with its weight there. */
type InsideColumn = Column & { readonly weight: number };

/** The numbers of a run for its matrix. */
export class RunMatrix implements MatrixSource {
  readonly entries: readonly string[];
  readonly children: readonly string[];
  readonly rules: readonly string[];
  readonly #scorers: readonly string[];
  #columns: ReadonlyMap<string, Column> | undefined;
  #children: ReadonlyMap<string, InsideColumn> | undefined;
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

  childColumns(): ReadonlyMap<string, Column> {
    return this.#insideColumns();
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

  #insideColumns(): ReadonlyMap<string, InsideColumn> {
    if (!this.#children || this.#isLost(this.#children)) {
      const filled = fillChildColumns(this.plan, this.result);
      this.#children = new Map(
        Array.from(filled, ([path, one]) => [path, { ...this.#ranked(one), weight: one.weight }]),
      );
    }
    return this.#children;
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
      ...Array.from(this.#insideColumns(), ([path, { weight }]) => [path, weight] as const),
    ]);
  }

  /** A column by row of the ranking: as it is, where no row was refused after it was kept. */
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
