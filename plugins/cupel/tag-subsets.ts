import type { TagSet } from './tag-sets.js';

/** The number of the empty subset, which sets of one tag extend. */
const EMPTY_SUBSET = -1;

/**
 * Counts the candidates that share a tag with a set, by inclusion and exclusion: those with one of its tags, less those
 * with two of them, plus those with three, and so on over its subsets.
 *
 * A set of T tags has 2^T − 1 subsets, however many candidates there are: meant for sets of few tags.
 */
export class TagSubsets {
  /** The number of a subset: by its last tag, then by the number of the subset without it. */
  readonly #numbers = new Map<number, Map<number, number>>();
  /** By number: 1 for a subset of an odd number of tags, −1 for one of an even number. */
  readonly #signs: number[] = [];
  /** By number: the candidates that have all tags of the subset. */
  readonly #counts: number[] = [];
  readonly #subsets = new Map<TagSet, readonly number[]>();

  constructor(sets: readonly TagSet[]) {
    for (const set of sets) {
      const subsets = this.#subsetsOf(set);
      this.#subsets.set(set, subsets);
      for (const subset of subsets) this.#counts[subset] = (this.#counts[subset] ?? 0) + set.count;
    }
  }

  /** The number of candidates with a tag of this set, those with the set itself included. */
  countSharing(set: TagSet): number {
    const subsets = this.#subsets.get(set) ?? this.#subsetsOf(set);
    let total = 0;
    for (const subset of subsets) total += (this.#signs[subset] ?? 0) * (this.#counts[subset] ?? 0);
    return total;
  }

  /** The numbers of all subsets but the empty one: each further tag extends all subsets of the tags before it. */
  #subsetsOf({ tags }: TagSet): readonly number[] {
    const found: number[] = [];
    for (const tag of tags) {
      const before = found.length;
      found.push(this.#extend(EMPTY_SUBSET, tag));
      for (let k = 0; k < before; k++) found.push(this.#extend(found[k] ?? EMPTY_SUBSET, tag));
    }
    return found;
  }

  /** The number of a subset with one more tag; a new number where it has none yet. */
  #extend(subset: number, tag: number): number {
    let numbers = this.#numbers.get(tag);
    if (!numbers) this.#numbers.set(tag, (numbers = new Map()));
    let number = numbers.get(subset);
    if (number === undefined) {
      number = this.#signs.length;
      numbers.set(subset, number);
      this.#signs.push(subset === EMPTY_SUBSET ? 1 : -(this.#signs[subset] ?? 0));
    }
    return number;
  }
}
