import type { Snapshot } from '../model/snapshot.js';

/** The items of a shelf, in order. */
export interface ShelfOrder {
  /** The positions of the candidates. */
  readonly order: Int32Array;
  /** How many are above the cut; undefined if there is no cut. */
  readonly cut: number | undefined;
}

/** The shelf and the changes both need the order of each snapshot. */
const known = new WeakMap<Snapshot, ShelfOrder>();

/** The selected items in the order of the selection, then the others by rank. Linear at the first call. */
export function shelfOrder(snapshot: Snapshot): ShelfOrder {
  let found = known.get(snapshot);
  if (!found) known.set(snapshot, (found = orderOf(snapshot)));
  return found;
}

function orderOf({ selected, order }: Snapshot): ShelfOrder {
  if (!selected) return { order, cut: undefined };
  const rest = order.filter((position) => !selected.has(position));
  if (rest.length === 0 && selected.size === order.length) return { order, cut: undefined };
  const whole = new Int32Array(selected.size + rest.length);
  whole.set([...selected]);
  whole.set(rest, selected.size);
  return { order: whole, cut: rest.length === 0 ? undefined : selected.size };
}

/** The places of items in lines of equal length; the cut starts a new line. */
export class Lines {
  /** How many lines are above the cut. */
  readonly above: number;
  readonly count: number;

  constructor(
    private readonly length: number,
    /** How many items are above the cut; all of them without a cut. */
    private readonly cut: number,
    private readonly columns: number,
  ) {
    this.above = Math.ceil(cut / columns);
    this.count = this.above + Math.ceil((length - cut) / columns);
  }

  /** The first item of a line, and the one after its last. */
  itemsOf(line: number): readonly [from: number, to: number] {
    const { cut, columns, above, length } = this;
    if (line < above) return [line * columns, Math.min(cut, (line + 1) * columns)];
    const from = cut + (line - above) * columns;
    return [from, Math.min(length, from + columns)];
  }

  lineOf(item: number): number {
    const { cut, columns, above } = this;
    return item < cut ? Math.floor(item / columns) : above + Math.floor((item - cut) / columns);
  }

  /** The item some lines below another, in the same column or the last of its line. */
  below(item: number, lines: number): number {
    const line = this.lineOf(item);
    const column = item - this.itemsOf(line)[0];
    const [from, to] = this.itemsOf(Math.max(0, Math.min(this.count - 1, line + lines)));
    return Math.min(from + column, to - 1);
  }
}
