import { TagBitmaps } from './tag-bitmaps.js';
import { groupTagSets, type TagSet } from './tag-sets.js';
import { TagSubsets } from './tag-subsets.js';

/** Sets of up to this many tags are counted by their subsets, at most 31 of them; larger ones by bitmaps. */
const MAX_SUBSET_TAGS = 5;

/**
 * Counts for each candidate the others with which it shares a tag. Nearly linear in the number of candidates where they
 * have up to five tags; those with more are compared 32 at a time.
 *
 * @param lists the tags of each candidate; undefined where it has no list
 * @returns the counts by candidate; NaN where it has no list
 */
export function countOthersSharing(lists: readonly (readonly string[] | undefined)[]): Float64Array {
  const { sets, setOf } = groupTagSets(lists);
  const [few, many] = [
    sets.filter(({ tags }) => tags.length <= MAX_SUBSET_TAGS),
    sets.filter(({ tags }) => tags.length > MAX_SUBSET_TAGS),
  ];
  const subsets = new TagSubsets(few);
  // The sets of few tags need bitmaps only where there are sets of many to compare them with.
  const [bitsOfFew, bitsOfMany] = [new TagBitmaps(many.length > 0 ? few : []), new TagBitmaps(many)];
  const others = new Map<TagSet, number>();
  for (const set of few) others.set(set, subsets.countSharing(set) + bitsOfMany.countSharing(set) - selfCount(set));
  for (const set of many) others.set(set, bitsOfFew.countSharing(set) + bitsOfMany.countSharing(set) - selfCount(set));
  return Float64Array.from(setOf, (set) => (set && others.get(set)) ?? Number.NaN);
}

/** 1 where a candidate is among those that share a tag with it: it is not without tags. */
const selfCount = ({ tags }: TagSet): number => (tags.length > 0 ? 1 : 0);
