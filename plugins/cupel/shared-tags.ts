import { TagBitmaps } from './tag-bitmaps.js';
import { groupTagSets, type TagSet } from './tag-sets.js';
import { TagSubsets } from './tag-subsets.js';

/** Sets of up to this many tags are looked at by subsets, of which there are 31 at most. */
const MAX_SUBSET_TAGS = 5;

/**
 * With how many of the others each candidate shares a tag. Nearly linear in the number of candidates where they have up
 * to five tags; those with more are compared 32 at a time.
 *
 * @param lists the tags of each candidate; undefined where it has no list
 * @returns by position; NaN where it has no list
 */
export function countOthersSharing(lists: readonly (readonly string[] | undefined)[]): Float64Array {
  const { sets, setOf } = groupTagSets(lists);
  const [few, many] = [
    sets.filter(({ tags }) => tags.length <= MAX_SUBSET_TAGS),
    sets.filter(({ tags }) => tags.length > MAX_SUBSET_TAGS),
  ];
  const subsets = new TagSubsets(few);
  // Only where some have many tags must they be compared with those that have few.
  const [bitsOfFew, bitsOfMany] = [new TagBitmaps(many.length > 0 ? few : []), new TagBitmaps(many)];
  const others = new Map<TagSet, number>();
  for (const set of few) others.set(set, subsets.countSharing(set) + bitsOfMany.countSharing(set) - selfCount(set));
  for (const set of many) others.set(set, bitsOfFew.countSharing(set) + bitsOfMany.countSharing(set) - selfCount(set));
  return Float64Array.from(setOf, (set) => (set && others.get(set)) ?? Number.NaN);
}

/** A candidate is among those that share a tag with it, unless it has none. */
const selfCount = ({ tags }: TagSet): number => (tags.length > 0 ? 1 : 0);
