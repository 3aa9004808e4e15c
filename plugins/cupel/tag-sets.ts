import { foldAscii } from './ascii-case.js';

/** A set of tags, each a number, ascending; and how many candidates have exactly these. */
export interface TagSet {
  readonly tags: readonly number[];
  count: number;
}

/** The different sets of tags of a batch, and which of them each candidate has. */
export interface TagSets {
  readonly sets: readonly TagSet[];
  /** By position of the candidate; undefined where it has no list of tags. */
  readonly setOf: readonly (TagSet | undefined)[];
}

/**
 * Finds the different sets of tags. Order, repetitions and the case of ASCII letters make no difference.
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

/** The number of a tag, kept under the spelling that was met, too, so that each is folded once. */
function tagNumber(tag: string, numbers: Map<string, number>): number {
  const met = numbers.get(tag);
  if (met !== undefined) return met;
  const folded = foldAscii(tag);
  const number = numbers.get(folded) ?? numbers.size;
  numbers.set(folded, number);
  numbers.set(tag, number);
  return number;
}
