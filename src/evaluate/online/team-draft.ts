import type { Random } from '../significance/random.js';

/** Which of two rankings an item was taken from. */
export type Team = 'a' | 'b';

/** An item of an interleaved list. */
export interface DraftedItem<T> {
  readonly item: T;
  /** Undefined for an item that is shown after one of the rankings is exhausted: clicks on it count for neither. */
  readonly team: Team | undefined;
}

/** What people did with one interleaved list: how many of the items that they clicked each ranking had brought. */
export interface Credit {
  readonly a: number;
  readonly b: number;
}

/**
 * Interleaves two rankings as two captains pick teams: in each round a coin says who picks first, and each picks the best
 * of its own ranking that is not taken yet. A click then counts for the ranking that contributed the item, and position
 * favours neither (Radlinski, Kurup and Joachims 2008).
 *
 * Teams stop picking when either ranking is exhausted. Otherwise the longer ranking would have more items in the list and
 * win by their number alone. The remaining items are shown after them and belong to no team. O(length).
 *
 * ```ts
 * const shown = teamDraft(live.ranked, other.ranked, { key: ({ id }) => id, length: 10, random: Math.random });
 * ```
 *
 * @param a best first; so is `b`
 */
export function teamDraft<T>(
  a: readonly T[],
  b: readonly T[],
  options: {
    /** What makes two items the same one. */
    readonly key: (item: T) => unknown;
    /** How many are shown; all when not given. */
    readonly length?: number;
    readonly random: Random;
  },
): readonly DraftedItem<T>[] {
  const { key, length = Number.POSITIVE_INFINITY, random } = options;
  const drafted: DraftedItem<T>[] = [];
  const taken = new Set<unknown>();
  const next = { a: 0, b: 0 };
  const lists = { a, b };
  /** The position of a ranking's best item that is not taken, at a position or after it; its length if there is none. */
  const free = (team: Team, from: number, except?: T): number => {
    const list = lists[team];
    const isTaken = (item: T): boolean => taken.has(key(item)) || (except !== undefined && key(item) === key(except));
    let at = from;
    while (at < list.length && isTaken(list[at]!)) at += 1;
    return at;
  };
  const canAnswer = (first: Team, second: Team): boolean => {
    const item = lists[first][next[first]];
    return item !== undefined && free(second, next[second], item) < lists[second].length;
  };
  const show = (item: T, team: Team | undefined): void => {
    if (drafted.length >= length) return;
    taken.add(key(item));
    drafted.push({ item, team });
  };
  while (drafted.length < length) {
    for (const team of ['a', 'b'] as const) next[team] = free(team, next[team]);
    // Checked for both orders before the coin: a round that only one order completes would favour a team by position.
    if (!canAnswer('a', 'b') || !canAnswer('b', 'a')) break;
    const order: readonly [Team, Team] = random() < 0.5 ? ['a', 'b'] : ['b', 'a'];
    for (const team of order) show(lists[team][free(team, next[team])]!, team);
  }
  const longer = a.length - next.a >= b.length - next.b ? [a, b] : [b, a];
  for (const item of longer.flat()) if (!taken.has(key(item))) show(item, undefined);
  return drafted;
}

/** How many of the clicked items each ranking had brought. An item that was not shown counts for neither. */
export function creditOf<T>(shown: readonly DraftedItem<T>[], clicked: (item: T) => boolean): Credit {
  const of = (team: Team): number => shown.filter((one) => one.team === team && clicked(one.item)).length;
  return { a: of('a'), b: of('b') };
}
