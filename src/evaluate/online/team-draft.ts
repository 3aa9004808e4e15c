import type { Random } from '../significance/random.js';

/** Which of two rankings an item was taken from. */
export type Team = 'a' | 'b';

/** An item of an interleaved list. */
export interface DraftedItem<T> {
  readonly item: T;
  readonly team: Team;
}

/** What people did with one interleaved list: how many of the items that they clicked each ranking had brought. */
export interface Credit {
  readonly a: number;
  readonly b: number;
}

/**
 * Interleaves two rankings as two captains pick teams: in each round a coin says who picks first, and each picks the best
 * of its own ranking that is not taken yet. What people click then speaks for the ranking that brought it: position
 * favours neither (Radlinski, Kurup and Joachims 2008). O(length).
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
  const pick = (team: Team): void => {
    const list = lists[team];
    while (next[team] < list.length && taken.has(key(list[next[team]]!))) next[team] += 1;
    const item = list[next[team]];
    if (next[team] >= list.length || drafted.length >= length) return;
    taken.add(key(item!));
    drafted.push({ item: item!, team });
  };
  for (let before = -1; drafted.length > before && drafted.length < length; ) {
    before = drafted.length;
    const [first, second]: readonly [Team, Team] = random() < 0.5 ? ['a', 'b'] : ['b', 'a'];
    pick(first);
    pick(second);
  }
  return drafted;
}

/** How many of the clicked items each ranking had brought. An item that was not shown counts for neither. */
export function creditOf<T>(shown: readonly DraftedItem<T>[], clicked: (item: T) => boolean): Credit {
  const of = (team: Team): number => shown.filter((one) => one.team === team && clicked(one.item)).length;
  return { a: of('a'), b: of('b') };
}
