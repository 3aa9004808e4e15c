import type { CostedRow, Score } from '../../../contract/index.js';
import type { BoundExpression } from '../../../expression/index.js';
import type { RunContext } from '../../entries/run-context.js';
import type { RunState } from '../../run-state.js';

/** A row before its cost is known. */
export type UncostedRow = Omit<CostedRow, 'cost'>;

/** The score of a pinned candidate beside the others, which are scored. */
export const PINNED_SCORE = 1;

/** The selected as selectors see them, the pinned first; and the values of expressions for each. */
export class RowView {
  readonly rows: readonly UncostedRow[];
  /** The row of the ranking by position in the input; none for a pinned candidate. */
  readonly rowOf: ReadonlyMap<number, number>;
  readonly #pinnedAt: ReadonlyMap<number, number>;

  constructor(
    private readonly run: RunState,
    /** What expressions of the pinned read. */
    private readonly pinnedContext: RunContext,
    idOf: (candidate: unknown, position: number) => string,
  ) {
    const { candidates, totals, pinned, selected } = run;
    const row = (index: number, score: number, isPinned: boolean): UncostedRow => {
      const candidate = candidates[index];
      return { id: idOf(candidate, index), index, candidate, score, pinned: isPinned };
    };
    this.#pinnedAt = new Map(pinned.map((index, k) => [index, k]));
    this.rowOf = new Map(Array.from(selected.rows, (r) => [this.#positionOf(r), r]));
    this.rows = [
      ...pinned.map((index) => row(index, PINNED_SCORE, true)),
      ...Array.from(this.rowOf, ([index, r]) => row(index, totals[r]!, false)),
    ];
  }

  /** An expression of rows, as a function of a row's candidate and `index`. */
  bind(evaluate: BoundExpression): Score<unknown, unknown> {
    const { run, pinnedContext } = this;
    const ofPinned = run.plan.current.bind(pinnedContext, evaluate);
    const ofScored = run.plan.current.bind(run.context, evaluate);
    return (candidate, index) => {
      const pinnedRow = this.#pinnedAt.get(index);
      if (pinnedRow !== undefined) return ofPinned(candidate, pinnedRow);
      const r = this.rowOf.get(index);
      if (r === undefined) throw new RangeError(`there is no row ${index}: an expression is asked by a row's index`);
      run.context.score = run.totals[r]!;
      return ofScored(candidate, run.rows?.[r] ?? r);
    };
  }

  #positionOf(r: number): number {
    const { kept, rows } = this.run;
    return kept[rows?.[r] ?? r]!;
  }
}
