import { TopKHeap } from '../engine/kernel/top-k-heap.js';
import type { Plan } from '../engine/plan.js';
import type { Evaluation } from '../engine/run-state.js';
import { tieKeys } from '../engine/stages/select/select.js';
import { compareKeys } from '../engine/stages/select/select-rows.js';

/** A row that may be among the selected. */
export interface RetainedRow {
  /** Its score; NaN for one that is pinned. */
  readonly total: number;
  /** Its position in the whole. */
  readonly index: number;
  /** What the profile's ties gave; undefined among them is absent. */
  readonly keys: readonly unknown[];
}

/** The pinned, whoever they are, and the best of the others. */
export class TopKCollector<R extends RetainedRow = RetainedRow> {
  readonly best: TopKHeap<R>;
  readonly pinned: R[] = [];
  readonly #minScore: number;

  constructor(
    private readonly plan: Plan,
    count: number,
  ) {
    const { ties, minScore } = plan.select;
    this.#minScore = minScore ?? Number.NEGATIVE_INFINITY;
    // What stands for the position is decided by it whatever comes later in the list.
    const deciding = ties?.findIndex((tie) => tie === undefined) ?? -1;
    const keys = deciding < 0 ? (ties?.length ?? 0) : deciding;
    this.best = new TopKHeap<R>(count, (a, b) => {
      if (a.total !== b.total) return a.total < b.total;
      for (let k = 0; k < keys; k++) {
        const difference = compareKeys(a.keys[k], b.keys[k]);
        if (difference !== 0) return difference > 0;
      }
      return a.index > b.index;
    });
  }

  /**
   * Takes in a part that was judged.
   *
   * @param offset how many candidates came before it
   * @param held   makes what is kept of a row, by its position in the part
   */
  collect(judged: Evaluation, offset: number, held: (row: RetainedRow, position: number) => R): void {
    const { kept, rows, totals, pinned, context } = judged;
    const { best, plan } = this;
    for (const position of pinned) {
      this.pinned.push(held({ total: Number.NaN, index: offset + position, keys: NO_KEYS }, position));
    }
    const ties = tieKeys(plan, judged);
    const keysOf = (r: number): readonly unknown[] =>
      ties ? plan.current.enter(context, () => ties.map((key) => key?.(r))) : NO_KEYS;
    for (let r = 0; r < totals.length; r++) {
      const total = totals[r]!;
      // Asked of every row, whether it is kept or not: one that fails fails the run.
      const keys = keysOf(r);
      if (total < this.#minScore || total < best.minCompetitiveScore) continue;
      const position = kept[rows?.[r] ?? r]!;
      best.add(held({ total, index: offset + position, keys }, position));
    }
  }

  /** Takes in a row that another sieve has held. */
  add(row: R): void {
    if (Number.isNaN(row.total)) this.pinned.push(row);
    else if (!(row.total < this.best.minCompetitiveScore)) this.best.add(row);
  }

  /** All that are held, in the order of the input. */
  retained(): readonly R[] {
    return [...this.pinned, ...this.best.rows].toSorted((a, b) => a.index - b.index);
  }
}

const NO_KEYS: readonly unknown[] = [];
