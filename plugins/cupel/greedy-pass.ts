import { type CostedRow, fewestCovering, largestFirst, type SelectorLeftOut } from '../../src/sdk.js';
import { MinSegmentTree } from './min-segment-tree.js';

/** A row at its turn: what room there was. */
interface GreedyStep {
  readonly row: CostedRow;
  readonly room: number;
  readonly kept: boolean;
}

/** What a row gets for what it costs; nothing is as dense as what is free. */
const density = ({ score, cost }: CostedRow): number => (cost === 0 ? Number.MAX_VALUE : score / cost);

/** Densest first; of equal ones the better ranked. */
function densestFirst(rows: readonly CostedRow[]): readonly CostedRow[] {
  const dense = rows.map((row) => ({ row, density: density(row) }));
  // Compared and not subtracted: two that are infinite are equal.
  dense.sort((a, b) => (a.density === b.density ? 0 : a.density < b.density ? 1 : -1));
  return dense.map(({ row }) => row);
}

/** A greedy pass over rows, which can say afterwards who took a row's place. */
export class GreedyPass {
  readonly kept: readonly CostedRow[];
  readonly left: readonly SelectorLeftOut[];
  readonly #turns: readonly GreedyStep[];
  readonly #turnOf: ReadonlyMap<number, number>;
  #lacks: MinSegmentTree | undefined;
  #slacks: MinSegmentTree | undefined;
  #largest: readonly CostedRow[] | undefined;

  constructor(
    rows: readonly CostedRow[],
    private readonly target: number,
  ) {
    let room = target;
    this.#turns = densestFirst(rows).map((row) => {
      const turn = { row, room, kept: row.cost <= room };
      if (turn.kept) room -= row.cost;
      return turn;
    });
    this.kept = this.#turns.filter(({ kept }) => kept).map(({ row }) => row);
    this.left = this.#turns.flatMap(({ kept }, at) => (kept ? [] : [new LazyLeftOutRow(this, at)]));
    this.#turnOf = new Map(this.#turns.map(({ row }, at) => [row.index, at]));
  }

  rowAt(at: number): CostedRow {
    return this.#turns[at]!.row;
  }

  /**
   * Why a row was left at its turn. In its place are the fewest of those kept before it that cover what it lacked, the
   * largest first. Without them another one, whose turn came before and who did not fit either, may have the room: then
   * that one is named.
   */
  explainLeftOut(at: number): SelectorLeftOut {
    const { row, room } = this.#turns[at]!;
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
    for (const row of this.#largest) if (this.#turnOf.get(row.index)! < at) yield row;
  }

  /**
   * The pass again without some rows, as far as the turn of one that was left: who had the room instead, where it still
   * does not fit. Only the turns that come out otherwise are looked at.
   */
  #nextWithout(gone: readonly CostedRow[], at: number): CostedRow | undefined {
    this.#lacks ??= new MinSegmentTree(this.#turns.map(({ row, room, kept }) => (kept ? Infinity : row.cost - room)));
    this.#slacks ??= new MinSegmentTree(this.#turns.map(({ row, room, kept }) => (kept ? room - row.cost : Infinity)));
    const leaves = gone.map(({ index }) => this.#turnOf.get(index)!).toSorted((a, b) => a - b);
    let first: CostedRow | undefined;
    let freed = 0; // how much more room there is than there was, at the turn that is looked at
    for (let from = 0, leaving = 0; ; ) {
      const until = Math.min(at, leaves[leaving] ?? at);
      const fits = this.#lacks.firstAtMost(from, until, freed);
      const falls = freed < 0 ? this.#slacks.firstBelow(from, until, -freed) : until;
      const turn = Math.min(fits, falls);
      if (turn < until) {
        const { row, kept } = this.#turns[turn]!;
        freed += kept ? row.cost : -row.cost;
        if (!kept) first ??= row;
        from = turn + 1;
        continue;
      }
      if (until === at) break;
      freed += this.#turns[until]!.row.cost;
      leaving += 1;
      from = until + 1;
    }
    const { row, room } = this.#turns[at]!;
    return row.cost <= room + freed ? undefined : first;
  }
}

/** A row that was left out: why is found when somebody looks. */
class LazyLeftOutRow implements SelectorLeftOut {
  readonly index: number;
  readonly #turns: GreedyPass;
  readonly #at: number;
  #answer: SelectorLeftOut | undefined;

  constructor(turns: GreedyPass, at: number) {
    this.#turns = turns;
    this.#at = at;
    this.index = turns.rowAt(at).index;
  }

  get reason(): string {
    return this.#said().reason;
  }

  get data(): SelectorLeftOut['data'] {
    return this.#said().data;
  }

  get keptInstead(): SelectorLeftOut['keptInstead'] {
    return this.#said().keptInstead;
  }

  #said(): SelectorLeftOut {
    return (this.#answer ??= this.#turns.explainLeftOut(this.#at));
  }
}
