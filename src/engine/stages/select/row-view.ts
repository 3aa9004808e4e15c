import type { CostedRow, Score } from '../../../contract/index.js';
import type { BoundExpression } from '../../../expression/expression.js';
import type { CurrentRun, RunContext } from '../../run-context.js';
import type { Evaluation } from '../../run-result.js';

/** What was pinned, with the state in which expressions about it are asked: nobody scored it, and it counts as 1. */
export interface PinnedRows {
  readonly positions: readonly number[];
  readonly state: RunContext;
}

/** A row before its cost is known. */
type UncostedRow = Omit<CostedRow, 'cost'>;

/** The score of what is pinned, where it stands beside the others. */
export const PINNED_SCORE = 1;

/** The scored rows of a run. */
type RankedRows = Pick<Evaluation, 'candidates' | 'kept' | 'rows' | 'totals' | 'context'>;

/** The selected as selectors see them, the pinned first; and what expressions give for each. */
export class RowView {
  readonly rows: readonly UncostedRow[];
  /** The row of the ranking by position in the input; nothing for what is pinned. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly #pinnedAt: ReadonlyMap<number, number>;

  constructor(
    private readonly cell: CurrentRun,
    private readonly table: RankedRows,
    selected: Int32Array,
    private readonly pinned: PinnedRows,
    idOf: (candidate: unknown, position: number) => string,
  ) {
    const { candidates, totals } = table;
    const row = (index: number, score: number, isPinned: boolean): UncostedRow => {
      const candidate = candidates[index];
      return { id: idOf(candidate, index), index, candidate, score, pinned: isPinned };
    };
    this.#pinnedAt = new Map(pinned.positions.map((index, k) => [index, k]));
    this.rowOf = new Map(Array.from(selected, (r) => [this.#positionOf(r), r]));
    this.rows = [
      ...pinned.positions.map((index) => row(index, PINNED_SCORE, true)),
      ...Array.from(this.rowOf, ([index, r]) => row(index, totals[r]!, false)),
    ];
  }

  /** An expression of rows, asked by a row's candidate and `index`. */
  ask(evaluate: BoundExpression): Score<unknown, unknown> {
    const { cell, table, pinned } = this;
    return (candidate, index) => {
      const pinnedRow = this.#pinnedAt.get(index);
      if (pinnedRow !== undefined) {
        cell.context = pinned.state;
        return evaluate(candidate, pinnedRow);
      }
      const r = this.rowOf.get(index);
      if (r === undefined) throw new RangeError(`there is no row ${index}: an expression is asked by a row's index`);
      cell.context = table.context;
      cell.context.score = table.totals[r]!;
      return evaluate(candidate, table.rows?.[r] ?? r);
    };
  }

  #positionOf(r: number): number {
    const { kept, rows } = this.table;
    return kept[rows?.[r] ?? r]!;
  }
}
