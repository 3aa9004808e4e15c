import { compareKeys, type Evaluation, type Plan, tieKeys, TopKHeap } from '../engine/index.js';

/** A row that may be among the selected. */
export interface RetainedRow {
  /** Its score; NaN for one that is pinned. */
  readonly total: number;
  /** Its position in the stream. */
  readonly index: number;
  /** The values of the profile's `ties`; undefined is absent. */
  readonly keys: readonly unknown[];
}

/** Retains the pinned rows and the best of the others: as many as a heap has room for. */
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
    // An undefined tie is the position, which no two rows share: the ties after it never decide.
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
   * Collects the rows of an evaluated chunk.
   *
   * @param offset     how many candidates come before it
   * @param toRetained makes a retained row, from its numbers and its position in the chunk
   */
  collect(evaluation: Evaluation, offset: number, toRetained: (row: RetainedRow, position: number) => R): void {
    const { kept, rows, totals, pinned, context } = evaluation;
    const { best, plan } = this;
    for (const position of pinned) {
      this.pinned.push(toRetained({ total: Number.NaN, index: offset + position, keys: NO_KEYS }, position));
    }
    const ties = tieKeys(plan, evaluation);
    const keysOf = (r: number): readonly unknown[] =>
      ties ? plan.current.enter(context, () => ties.map((key) => key?.(r))) : NO_KEYS;
    for (let r = 0; r < totals.length; r++) {
      const total = totals[r]!;
      // Evaluated for every row, retained or not: a tie that fails fails the run.
      const keys = keysOf(r);
      if (total < this.#minScore || total < best.minCompetitiveScore) continue;
      const position = kept[rows?.[r] ?? r]!;
      best.add(toRetained({ total, index: offset + position, keys }, position));
    }
  }

  /** Adds a row that another collector has retained. */
  add(row: R): void {
    if (Number.isNaN(row.total)) this.pinned.push(row);
    else if (!(row.total < this.best.minCompetitiveScore)) this.best.add(row);
  }

  /** All retained rows, in the order of the stream. */
  retained(): readonly R[] {
    return [...this.pinned, ...this.best.rows].toSorted((a, b) => a.index - b.index);
  }
}

const NO_KEYS: readonly unknown[] = [];
