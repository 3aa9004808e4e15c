import { type CostedRow, fewestCovering, largestFirst, type SelectorLeftOut } from '../../src/sdk.js';
import { MinSegmentTree } from './min-segment-tree.js';

/** One step of the pass: a row, and the room that was left before it. */
interface GreedyStep {
  readonly row: CostedRow;
  readonly room: number;
  readonly kept: boolean;
}

/** Score per cost; a row that costs nothing is the densest. */
const density = ({ score, cost }: CostedRow): number => (cost === 0 ? Number.MAX_VALUE : score / cost);

/** Rows by density, the densest first; of equal ones the better ranked. */
function densestFirst(rows: readonly CostedRow[]): readonly CostedRow[] {
  const dense = rows.map((row) => ({ row, density: density(row) }));
  // Compared and not subtracted: two infinite densities are equal.
  dense.sort((a, b) => (a.density === b.density ? 0 : a.density < b.density ? 1 : -1));
  return dense.map(({ row }) => row);
}

/** A greedy pass over rows that can explain afterwards which rows took the place of one that was left out. */
export class GreedyPass {
  readonly kept: readonly CostedRow[];
  readonly left: readonly SelectorLeftOut[];
  readonly #steps: readonly GreedyStep[];
  readonly #stepOf: ReadonlyMap<number, number>;
  /** By step: the room that a row left out lacked; ∞ for a kept one. */
  #shortages: MinSegmentTree | undefined;
  /** By step: the room that remained after a kept row; ∞ for one left out. */
  #remainders: MinSegmentTree | undefined;
  #largest: readonly CostedRow[] | undefined;

  constructor(
    rows: readonly CostedRow[],
    private readonly target: number,
  ) {
    let room = target;
    this.#steps = densestFirst(rows).map((row) => {
      const step = { row, room, kept: row.cost <= room };
      if (step.kept) room -= row.cost;
      return step;
    });
    this.kept = this.#steps.filter(({ kept }) => kept).map(({ row }) => row);
    this.left = this.#steps.flatMap(({ kept }, at) => (kept ? [] : [new LazyLeftOutRow(this, at)]));
    this.#stepOf = new Map(this.#steps.map(({ row }, at) => [row.index, at]));
  }

  rowAt(at: number): CostedRow {
    return this.#steps[at]!.row;
  }

  /**
   * Explains why the row of a step was left out. In its place are the fewest of the rows kept before it that cover the
   * room it lacked, the largest first. Without those an earlier row that did not fit either may take the room: then the
   * reason names it.
   */
  explainLeftOut(at: number): SelectorLeftOut {
    const { row, room } = this.#steps[at]!;
    const { index, cost } = row;
    if (cost > this.target) return { index, reason: 'too_large', data: { cost, room: this.target } };
    const instead = fewestCovering(this.#largestBefore(at), cost - room);
    const next = this.#nextWithout(instead, at);
    const keptInstead = instead.map((one) => one.index);
    return next === undefined
      ? { index, reason: 'no_room', data: { cost, room }, keptInstead }
      : { index, reason: 'behind', data: { cost, room, next: next.id }, keptInstead };
  }

  *#largestBefore(at: number): Generator<CostedRow> {
    this.#largest ??= largestFirst(this.kept);
    for (const row of this.#largest) if (this.#stepOf.get(row.index)! < at) yield row;
  }

  /**
   * Repeats the pass without some rows, up to a step whose row was left out: the first row that takes the room instead,
   * where that row still does not fit. Visits only the steps that differ, O(log N) each.
   */
  #nextWithout(gone: readonly CostedRow[], at: number): CostedRow | undefined {
    this.#shortages ??= new MinSegmentTree(
      this.#steps.map(({ row, room, kept }) => (kept ? Infinity : row.cost - room)),
    );
    this.#remainders ??= new MinSegmentTree(
      this.#steps.map(({ row, room, kept }) => (kept ? room - row.cost : Infinity)),
    );
    const removed = gone.map(({ index }) => this.#stepOf.get(index)!).toSorted((a, b) => a - b);
    let first: CostedRow | undefined;
    let freed = 0; // the room at the current step beyond that of the first pass; negative where it is less
    for (let from = 0, next = 0; ; ) {
      const until = Math.min(at, removed[next] ?? at);
      const nowFits = this.#shortages.firstAtMost(from, until, freed);
      const nowFails = freed < 0 ? this.#remainders.firstBelow(from, until, -freed) : until;
      const step = Math.min(nowFits, nowFails);
      if (step < until) {
        const { row, kept } = this.#steps[step]!;
        freed += kept ? row.cost : -row.cost;
        if (!kept) first ??= row;
        from = step + 1;
        continue;
      }
      if (until === at) break;
      freed += this.#steps[until]!.row.cost;
      next += 1;
      from = until + 1;
    }
    const { row, room } = this.#steps[at]!;
    return row.cost <= room + freed ? undefined : first;
  }
}

/** A row that was left out; the explanation is computed when it is first read. */
class LazyLeftOutRow implements SelectorLeftOut {
  readonly index: number;
  readonly #pass: GreedyPass;
  readonly #at: number;
  #explanation: SelectorLeftOut | undefined;

  constructor(pass: GreedyPass, at: number) {
    this.#pass = pass;
    this.#at = at;
    this.index = pass.rowAt(at).index;
  }

  get reason(): string {
    return this.#explain().reason;
  }

  get data(): SelectorLeftOut['data'] {
    return this.#explain().data;
  }

  get keptInstead(): SelectorLeftOut['keptInstead'] {
    return this.#explain().keptInstead;
  }

  #explain(): SelectorLeftOut {
    return (this.#explanation ??= this.#pass.explainLeftOut(this.#at));
  }
}
