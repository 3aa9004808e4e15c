import { BestRows } from '../../matrix/best-rows.js';
import { compareKeys } from '../../stages/select.js';
import { keyed } from '../choose.js';
import type { Plan } from '../compile/plan.js';
import type { Judgement } from '../outcome.js';

/** A row that may be among the selected. */
export interface HeldRow {
  /** Its score; NaN for one that is pinned. */
  readonly total: number;
  /** Its position in the whole. */
  readonly index: number;
  /** What the profile's ties gave; undefined among them is absent. */
  readonly keys: readonly unknown[];
}

/** The pinned, whoever they are, and the best of the others. */
export class Sieve<R extends HeldRow = HeldRow> {
  readonly best: BestRows<R>;
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
    this.best = new BestRows<R>(count, (a, b) => {
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
  take(judged: Judgement, offset: number, held: (row: HeldRow, position: number) => R): void {
    const { kept, rows, totals, pinned, state } = judged;
    const { best, plan } = this;
    for (const position of pinned) {
      this.pinned.push(held({ total: Number.NaN, index: offset + position, keys: NO_KEYS }, position));
    }
    plan.cell.state = state;
    const ties = plan.select.ties?.map((tie) => tie && keyed(judged, 'ties', tie));
    for (let r = 0; r < totals.length; r++) {
      const total = totals[r]!;
      // Asked of every row, whether it is kept or not: one that fails fails the run.
      const keys = ties ? ties.map((key) => key?.(r)) : NO_KEYS;
      if (total < this.#minScore || total < best.floor) continue;
      const position = kept[rows?.[r] ?? r]!;
      best.add(held({ total, index: offset + position, keys }, position));
    }
  }

  /** Takes in a row that another sieve has held. */
  add(row: R): void {
    if (Number.isNaN(row.total)) this.pinned.push(row);
    else if (!(row.total < this.best.floor)) this.best.add(row);
  }

  /** All that are held, in the order of the input. */
  list(): readonly R[] {
    return [...this.pinned, ...this.best.rows].toSorted((a, b) => a.index - b.index);
  }
}

const NO_KEYS: readonly unknown[] = [];
