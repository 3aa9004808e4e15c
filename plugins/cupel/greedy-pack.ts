import {
  type CostedRow,
  defineSelector,
  fewestCovering,
  largestFirst,
  type ParamsOf,
  type Selector,
  type SelectorFunction,
  type SelectorNotSelected,
  type SelectorResult,
  z,
} from '../../src/unit-sdk.js';
import { packNothing, pinnedRows, unpinnedRows } from './packing.js';

type Params = ParamsOf<typeof GreedyPack>;

/**
 * Packs rows by score per cost, the densest first. A row that does not fit is skipped, and the next one is tried. Rows
 * without cost come first; of equally dense rows the better ranked one wins. O(N log N).
 *
 * This is Cupel's Greedy. A negative score makes the larger row denser, as in the reference.
 */
export class GreedyPack implements Selector<Params> {
  static readonly meta = defineSelector({
    summary: 'Packs rows by score per cost, the densest first, as long as they fit.',
    reads: 'params',
    params: z.strictObject({}),
    reasons: {
      no_budget: 'there is no room at all',
      too_large: 'it costs {cost}, more than all of the {room} there is',
      no_room: 'it costs {cost}, and at its turn {room} was left',
      behind: 'it costs {cost}, and at its turn {room} was left; {next} would have had the place before it',
    },
  });

  prepare(): SelectorFunction {
    return (rows, { target }) => (target > 0 ? pack(rows, target) : packNothing(rows));
  }
}

function pack(rows: Parameters<SelectorFunction>[0], target: number): SelectorResult {
  const pass = new GreedyPass(unpinnedRows(rows), target);
  return { kept: [...pinnedRows(rows), ...pass.kept], left: pass.left };
}

/** One step of the pass: a row and the room before it. */
interface GreedyStep {
  readonly row: CostedRow;
  readonly room: number;
  readonly kept: boolean;
}

/** Score per cost; a row without cost is the densest. */
const density = ({ score, cost }: CostedRow): number => (cost === 0 ? Number.MAX_VALUE : score / cost);

/** Rows by falling density; of equal ones the better ranked first. */
function densestFirst(rows: readonly CostedRow[]): readonly CostedRow[] {
  const dense = rows.map((row) => ({ row, density: density(row) }));
  // Compare instead of subtracting: two infinite densities are equal.
  dense.sort((a, b) => (a.density === b.density ? 0 : a.density < b.density ? 1 : -1));
  return dense.map(({ row }) => row);
}

/** A greedy pass over rows that can explain afterwards which rows took the place of a skipped row. */
class GreedyPass {
  readonly kept: readonly CostedRow[];
  readonly left: readonly SelectorNotSelected[];
  readonly #steps: readonly GreedyStep[];
  readonly #stepOf: ReadonlyMap<number, number>;
  /** By step: the room that a skipped row lacked; ∞ for a packed row. */
  #shortages: MinSegmentTree | undefined;
  /** By step: the room that remained after a packed row; ∞ for a skipped row. */
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
    this.left = this.#steps.flatMap(({ kept }, at) => (kept ? [] : [new LazyNotSelectedRow(this, at)]));
    this.#stepOf = new Map(this.#steps.map(({ row }, at) => [row.index, at]));
  }

  rowAt(at: number): CostedRow {
    return this.#steps[at]!.row;
  }

  /**
   * Explains why the row of a step was skipped. Its replacements are the fewest of the rows packed before it, largest
   * first, that cover the room it lacked. Without them, another skipped row may take the room: then the reason names it.
   */
  explainNotSelected(at: number): SelectorNotSelected {
    const { row, room } = this.#steps[at]!;
    const { index, cost } = row;
    if (cost > this.target) return { index, reason: 'too_large', data: { cost, room: this.target } };
    const instead = fewestCovering(this.#largestBefore(at), cost - room);
    const next = this.#nextWithout(instead, at);
    const replacedBy = instead.map((one) => one.index);
    return next === undefined
      ? { index, reason: 'no_room', data: { cost, room }, replacedBy }
      : { index, reason: 'behind', data: { cost, room, next: next.id }, replacedBy };
  }

  *#largestBefore(at: number): Generator<CostedRow> {
    this.#largest ??= largestFirst(this.kept);
    for (const row of this.#largest) if (this.#stepOf.get(row.index)! < at) yield row;
  }

  /**
   * Repeats the pass without some rows, up to a step whose row was skipped. Returns the first row that takes the room
   * instead, if that row still does not fit. Visits only the steps that differ, O(log N) each.
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
    let freed = 0; // the additional room at the current step compared with the first pass; may be negative
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

/** A row that was not packed. Its explanation is computed when it is first read. */
class LazyNotSelectedRow implements SelectorNotSelected {
  readonly index: number;
  readonly #pass: GreedyPass;
  readonly #at: number;
  #explanation: SelectorNotSelected | undefined;

  constructor(pass: GreedyPass, at: number) {
    this.#pass = pass;
    this.#at = at;
    this.index = pass.rowAt(at).index;
  }

  get reason(): string {
    return this.#explain().reason;
  }

  get data(): SelectorNotSelected['data'] {
    return this.#explain().data;
  }

  get replacedBy(): SelectorNotSelected['replacedBy'] {
    return this.#explain().replacedBy;
  }

  #explain(): SelectorNotSelected {
    return (this.#explanation ??= this.#pass.explainNotSelected(this.#at));
  }
}

/** A segment tree of minima, which finds the first sufficiently small number of a range in O(log N). */
class MinSegmentTree {
  readonly #size: number;
  /** The minimum below each node, the root at 1; the numbers themselves are the last `size`. */
  readonly #least: Float64Array;

  constructor(numbers: readonly number[]) {
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(1, numbers.length)));
    this.#least = new Float64Array(2 * this.#size).fill(Infinity);
    this.#least.set(numbers, this.#size);
    for (let node = this.#size - 1; node > 0; node--) {
      this.#least[node] = Math.min(this.#least[2 * node]!, this.#least[2 * node + 1]!);
    }
  }

  /** The first position in `[from, until)` whose number is at most `limit`; `until` if there is none. */
  firstAtMost(from: number, until: number, limit: number): number {
    return this.#first(from, until, (least) => least <= limit);
  }

  /** The same for a number below `limit`. */
  firstBelow(from: number, until: number, limit: number): number {
    return this.#first(from, until, (least) => least < limit);
  }

  #first(from: number, until: number, holds: (least: number) => boolean): number {
    if (from >= until) return until;
    let node = from + this.#size;
    // Climb to the next subtree on the right with such a number, then descend to the first of them.
    while (!holds(this.#least[node]!)) {
      while (node % 2 === 1) node >>= 1;
      if (node === 0) return until;
      node += 1;
    }
    while (node < this.#size) node = 2 * node + (holds(this.#least[2 * node]!) ? 0 : 1);
    return Math.min(node - this.#size, until);
  }
}
