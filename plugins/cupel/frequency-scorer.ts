import {
  abstain,
  type BatchScorer,
  defineScorer,
  type ParamsOf,
  path,
  readTexts,
  type Run,
  type Score,
  valueOrError,
  z,
} from '../../src/unit-sdk.js';
import { foldAscii } from './absolute-scorers.js';

type Params = ParamsOf<typeof FrequencyScorer>;

/**
 * Scores the share of the other candidates that have a tag in common: `sharing / (N − 1)`. It is 0 without tags and
 * without other candidates. Candidates without tags count. ASCII case is ignored, unlike in the TagScorer.
 */
export class FrequencyScorer implements BatchScorer<Params> {
  static readonly meta = defineScorer({
    summary: 'Favours candidates that share tags with many others in the batch.',
    reads: 'params',
    params: z.strictObject({ field: path('tags').describe('The path to the tags, a list of strings.') }),
    scope: 'set',
    range: [0, 1],
    onAbsent: 0,
    reasons: {
      shared: 'shares a tag with {sharing} of {others} others',
      untagged: 'it has no tags',
      alone: 'there are no others',
      absent: '{field} is absent',
    },
  });

  prepare({ field }: Params, { candidates }: Run): Score<unknown> {
    const tags = candidates.map((candidate) => valueOrError(() => readTexts(field, candidate)));
    // A candidate with malformed tags fails alone and shares no tag with the others.
    const column = countOthersSharing(tags.map((list) => (list instanceof Error ? undefined : list)));
    const others = candidates.length - 1;
    return (candidate, index, note) => {
      const sharing = column[index] ?? Number.NaN;
      if (Number.isNaN(sharing)) {
        readTexts(field, candidate); // throws again if the list is malformed
        return abstain(note, 'absent', { field: field.source });
      }
      const untagged = (): boolean => readTexts(field, candidate)?.length === 0;
      note?.(untagged() ? 'untagged' : others === 0 ? 'alone' : 'shared', { sharing, others });
      return others === 0 ? 0 : sharing / others;
    };
  }
}

/**
 * The size up to which tag sets are counted by their subsets, at most 31 of them. Larger sets are counted by bitmaps.
 */
const MAX_SUBSET_TAGS = 5;

/**
 * Counts for each candidate the others that share a tag with it. The time is nearly linear in the number of candidates
 * with up to five tags; those with more are compared 32 at a time.
 *
 * @param lists the tags of each candidate; undefined if it has no list
 * @returns the counts by candidate; NaN for a candidate without a list
 */
function countOthersSharing(lists: readonly (readonly string[] | undefined)[]): Float64Array {
  const { sets, setOf } = groupTagSets(lists);
  const [few, many] = [
    sets.filter(({ tags }) => tags.length <= MAX_SUBSET_TAGS),
    sets.filter(({ tags }) => tags.length > MAX_SUBSET_TAGS),
  ];
  const subsets = new TagSubsets(few);
  // Small sets need bitmaps only if there are large sets to compare them with.
  const [bitsOfFew, bitsOfMany] = [new TagBitmaps(many.length > 0 ? few : []), new TagBitmaps(many)];
  const others = new Map<TagSet, number>();
  for (const set of few) others.set(set, subsets.countSharing(set) + bitsOfMany.countSharing(set) - selfCount(set));
  for (const set of many) others.set(set, bitsOfFew.countSharing(set) + bitsOfMany.countSharing(set) - selfCount(set));
  return Float64Array.from(setOf, (set) => (set && others.get(set)) ?? Number.NaN);
}

/** 1 if a candidate is counted among those that share a tag with it, because it has tags. */
const selfCount = ({ tags }: TagSet): number => (tags.length > 0 ? 1 : 0);

/** A set of tags. */
export interface TagSet {
  /** The numbers of the tags, ascending. */
  readonly tags: readonly number[];
  /** The number of candidates with exactly these tags. */
  count: number;
}

/** The distinct tag sets of a batch, and the set of each candidate. */
interface TagSets {
  readonly sets: readonly TagSet[];
  /** By candidate; undefined if it has no list of tags. */
  readonly setOf: readonly (TagSet | undefined)[];
}

/**
 * Collects the distinct tag sets. Order, repetitions and ASCII case are ignored.
 *
 * @param lists the tags of each candidate; undefined if it has no list
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

/** The number of a tag. It is stored under each spelling too, so that each spelling is folded once. */
function tagNumber(tag: string, numbers: Map<string, number>): number {
  const known = numbers.get(tag);
  if (known !== undefined) return known;
  const folded = foldAscii(tag);
  const number = numbers.get(folded) ?? numbers.size;
  numbers.set(folded, number);
  numbers.set(tag, number);
  return number;
}

/**
 * Counts the candidates that share a tag with a set, with one bit per candidate: the bits of the set's tags are united,
 * 32 at a time, and counted. This takes T × N / 32 steps for T tags and N candidates, and suits large sets.
 *
 * A rare tag is stored as a list of its bits and only a common tag as a bitmap, so that the memory is proportional to
 * the uses of tags, whatever their number.
 */
export class TagBitmaps {
  readonly #listed = new Map<number, number[]>();
  readonly #rows = new Map<number, Uint32Array>();
  readonly #union: Uint32Array;

  constructor(sets: readonly TagSet[]) {
    let bits = 0;
    for (const { tags, count } of sets) {
      for (const tag of tags) {
        const listed = this.#listed.get(tag) ?? [];
        this.#listed.set(tag, listed);
        for (let bit = bits; bit < bits + count; bit++) listed.push(bit);
      }
      bits += count;
    }
    const words = Math.ceil(bits / 32);
    this.#union = new Uint32Array(words);
    for (const [tag, listed] of this.#listed) {
      if (listed.length <= words) continue;
      const row = new Uint32Array(words);
      setBits(row, listed);
      this.#rows.set(tag, row);
      this.#listed.delete(tag);
    }
  }

  /** The number of candidates with a tag of this set. */
  countSharing({ tags }: TagSet): number {
    const union = this.#union.fill(0);
    for (const tag of tags) {
      const row = this.#rows.get(tag);
      if (row) for (let word = 0; word < union.length; word++) union[word] = (union[word] ?? 0) | (row[word] ?? 0);
      else setBits(union, this.#listed.get(tag) ?? []);
    }
    let total = 0;
    for (const word of union) total += bitCount(word);
    return total;
  }
}

function setBits(row: Uint32Array, bits: readonly number[]): void {
  for (const bit of bits) row[bit >>> 5] = (row[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

/** The number of set bits of 32, summed in pairs, then in fours, then in eights. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** The number of the empty subset; sets of one tag extend it. */
const EMPTY_SUBSET = -1;

/**
 * Counts the candidates that share a tag with a set by inclusion and exclusion: those with one of its tags, minus those
 * with two of them, plus those with three, and so on over its subsets.
 *
 * A set of T tags has 2^T − 1 subsets, whatever the number of candidates. This suits small sets.
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

  /** The number of a subset with one more tag; a new number if it has none yet. */
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
