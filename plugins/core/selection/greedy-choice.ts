import type { CostedRow, SelectorLeftOut, SelectorLimits, SelectorNote, SelectorResult } from '../../../src/sdk.js';

/** What a greedy choice goes by. */
export interface ChoiceRule {
  /** The value of a row that is still to be chosen; ties are decided by the order of the rows. */
  valueOf(row: number): number;
  /** Called with each row that is chosen, the pinned first, before the next is chosen. */
  onChosen(row: number): void;
  /** What is said of a row when it is chosen. */
  noteOf(row: number): Omit<SelectorNote, 'index'>;
  /** What is said of a row that is left out; called after the choice. */
  leftOutOf(row: number, chosen: readonly number[]): SelectorLeftOut;
}

/** The reason of a row that did not fit, for which a class has the template. */
export const NO_ROOM = 'it costs {cost}, and at its turn {room} was left';

/**
 * Chooses rows one after another: each time the one of the greatest value that is left. The pinned are chosen before all
 * others. One that does not fit is left out, and the next is tried. O(N·k) values for k chosen of N.
 *
 * Once a group is full, its other rows are no longer tried.
 *
 * @param limits what the rows that are not pinned may cost, and how many of a group are chosen
 */
export function chooseGreedily(
  rows: readonly CostedRow[],
  { target, groups }: SelectorLimits,
  rule: ChoiceRule,
): SelectorResult {
  let room = target;
  let open: number[] = [];
  const closed: number[] = [];
  const counts = new Map<unknown, number>();
  const chosen: number[] = [];
  const notes: SelectorNote[] = [];
  const left: SelectorLeftOut[] = [];
  const choose = (row: number): void => {
    chosen.push(row);
    rule.onChosen(row);
  };
  for (const [row, { pinned }] of rows.entries()) {
    if (pinned) choose(row);
    else open.push(row);
  }
  const least = open.reduce((cost, row) => Math.min(cost, rows[row]!.cost), Infinity);
  while (open.length > 0 && room >= least) {
    const row = takeBest(open, rule);
    const { index, cost } = rows[row]!;
    if (cost > room) {
      left.push({ index, reason: 'no_room', data: { cost, room } });
      continue;
    }
    notes.push({ index, ...rule.noteOf(row) });
    room -= cost;
    choose(row);
    const group = groups?.of(rows[row]!);
    if (!groups || group === undefined) continue;
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    if (count < groups.most) continue;
    const others = open;
    open = [];
    for (const other of others) (groups.of(rows[other]!) === group ? closed : open).push(other);
  }
  for (const row of [...open, ...closed]) left.push(rule.leftOutOf(row, chosen));
  return { kept: chosen.map((row) => rows[row]!), left, notes };
}

/** Takes the row of the greatest value out of those that are left; of equal ones the first. */
function takeBest(open: number[], rule: ChoiceRule): number {
  let best = 0;
  let most = -Infinity;
  for (const [k, row] of open.entries()) {
    const value = rule.valueOf(row);
    if (value <= most) continue;
    best = k;
    most = value;
  }
  return open.splice(best, 1)[0]!;
}
