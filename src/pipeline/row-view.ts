import type { CostedRow, Score } from '../contract/index.js';
import type { Evaluate } from '../expression/expression.js';
import type { Cell, RunState } from '../stages/plan.js';
import type { Judgement } from './outcome.js';

/** What was pinned, with the state in which expressions about it are asked: nobody scored it, and it counts as 1. */
export interface Pinned {
  readonly positions: readonly number[];
  readonly state: RunState;
}

/** A row before its cost is known. */
type Row = Omit<CostedRow, 'cost'>;

/** The score of what is pinned, where it stands beside the others. */
export const PINNED_SCORE = 1;

/** The scored rows of a run. */
type Table = Pick<Judgement, 'candidates' | 'kept' | 'rows' | 'totals' | 'state'>;

/** The selected as selectors see them, the pinned first; and what expressions give for each. */
export class RowView {
  readonly rows: readonly Row[];
  /** The row of the ranking by position in the input; nothing for what is pinned. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly #pinnedAt: ReadonlyMap<number, number>;

  constructor(
    private readonly cell: Cell,
    private readonly table: Table,
    selected: Int32Array,
    private readonly pinned: Pinned,
    idOf: (candidate: unknown, position: number) => string,
  ) {
    const { candidates, totals } = table;
    const row = (index: number, score: number, isPinned: boolean): Row => {
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
  ask(evaluate: Evaluate): Score<unknown, unknown> {
    const { cell, table, pinned } = this;
    return (candidate, index) => {
      const pinnedRow = this.#pinnedAt.get(index);
      if (pinnedRow !== undefined) {
        cell.state = pinned.state;
        return evaluate(candidate, pinnedRow);
      }
      const r = this.rowOf.get(index);
      if (r === undefined) throw new RangeError(`there is no row ${index}: an expression is asked by a row's index`);
      cell.state = table.state;
      cell.state.score = table.totals[r]!;
      return evaluate(candidate, table.rows?.[r] ?? r);
    };
  }

  #positionOf(r: number): number {
    const { kept, rows } = this.table;
    return kept[rows?.[r] ?? r]!;
  }
}
