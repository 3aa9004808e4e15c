import { foldAscii } from './ascii-case.js';

/** A set of tags. */
export interface TagSet {
  /** The numbers of the tags, ascending. */
  readonly tags: readonly number[];
  /** The number of candidates with exactly these tags. */
  count: number;
}

/** The different sets of tags of a batch, and the set of each candidate. */
export interface TagSets {
  readonly sets: readonly TagSet[];
  /** By candidate; undefined where it has no list of tags. */
  readonly setOf: readonly (TagSet | undefined)[];
}

/**
 * Collects the different sets of tags. Order, repetitions and the case of ASCII letters make no difference.
 *
 * @param lists the tags of each candidate; undefined where it has no list
 */
export function groupTagSets(lists: readonly (readonly string[] | undefined)[]): TagSets {
  const numbers = new Map<string, number>();
  const sets = new Map<string, TagSet>();
  const setOf = lists.map((list) => {
    if (list === undefined) return undefined;
    const tags = [...new Set(list.map((tag) => tagNumber(tag, numbers)))].sort((a, b) => a - b);
    const key = tags.join();
    const set = sets.get(key) ?? { tags, count: 0 };
    sets.set(key, set);
    set.count += 1;
    return set;
  });
  return { sets: [...sets.values()], setOf };
}

/** The number of a tag, stored under each spelling as well, so that each is folded once. */
function tagNumber(tag: string, numbers: Map<string, number>): number {
  const known = numbers.get(tag);
  if (known !== undefined) return known;
  const folded = foldAscii(tag);
  const number = numbers.get(folded) ?? numbers.size;
  numbers.set(folded, number);
  numbers.set(tag, number);
  return number;
}
