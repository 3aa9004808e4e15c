/** The number of rows that every profile selects. */
export const TOP = 100;

/**
 * The best rows of a loop by hand, by insertion. A loop compares each score with the floor, and few of them enter: some
 * 900 of 300,000 in random order.
 */
export class Best {
  readonly scores = new Float64Array(TOP);
  readonly rows = new Int32Array(TOP);
  count = 0;

  /**
   * Adds a row whose score is above the floor. Of equal scores, the earlier row comes first.
   *
   * @returns the new floor: the score that a later row must exceed
   */
  add(score: number, row: number): number {
    const { scores, rows } = this;
    if (this.count < TOP) this.count += 1;
    let at = this.count - 1;
    for (; at > 0 && scores[at - 1]! < score; at--) {
      scores[at] = scores[at - 1]!;
      rows[at] = rows[at - 1]!;
    }
    scores[at] = score;
    rows[at] = row;
    return this.count < TOP ? Number.NEGATIVE_INFINITY : scores[TOP - 1]!;
  }
}
