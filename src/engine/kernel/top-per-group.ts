/** A row with its score, and the key of its group: rows of equal keys are of one group, one without a key is of none. */
export interface GroupedRow {
  readonly total: number;
  readonly row: number;
  readonly group: unknown;
}

/** So few rows are gathered at least before they are walked. */
const ROOM = 256;

/**
 * Keeps the best of any number of rows that come one by one, and at most so many of a group: those that a walk over all
 * of them, best first, would select. Rows are gathered, and walked now and then; one that the walk leaves out cannot come
 * back, because more rows only raise what it takes. Memory for about twice those that are kept. O(log k) for a row that
 * enters, and two comparisons for any other.
 */
export class TopPerGroup {
  #rows: GroupedRow[] = [];
  readonly #capacity: number;
  #floor = Number.NEGATIVE_INFINITY;
  /** Of each group that is full: the score of its last row. */
  readonly #groupFloors = new Map<unknown, number>();

  /**
   * @param count how many are kept
   * @param perGroup how many of one group
   */
  constructor(
    private readonly count: number,
    private readonly perGroup: number,
  ) {
    this.#capacity = 2 * count + ROOM;
    if (count === 0) this.#floor = Number.POSITIVE_INFINITY;
  }

  /** A row with a lower score does not enter. */
  get minCompetitiveScore(): number {
    return this.#floor;
  }

  /** Adds a row, if it may be among the best. */
  add(row: GroupedRow): void {
    if (row.total < this.#floor || row.total < (this.#groupFloors.get(row.group) ?? Number.NEGATIVE_INFINITY)) return;
    this.#rows.push(row);
    if (this.#rows.length === this.#capacity) this.#walk();
  }

  /** The best so far, best first: score descending, then position in the input. */
  get rows(): readonly GroupedRow[] {
    this.#walk();
    return this.#rows;
  }

  /** Walks over the rows, best first, and keeps what is to be selected of them. */
  #walk(): void {
    const { count, perGroup } = this;
    const kept: GroupedRow[] = [];
    const counts = new Map<unknown, number>();
    this.#groupFloors.clear();
    for (const row of this.#rows.sort((a, b) => b.total - a.total || a.row - b.row)) {
      if (kept.length === count) break;
      const { total, group } = row;
      if (group !== undefined) {
        const others = counts.get(group) ?? 0;
        if (others === perGroup) continue;
        counts.set(group, others + 1);
        if (others + 1 === perGroup) this.#groupFloors.set(group, total);
      }
      kept.push(row);
    }
    if (kept.length === count && count > 0) this.#floor = kept.at(-1)!.total;
    this.#rows = kept;
  }
}
