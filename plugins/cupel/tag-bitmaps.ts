import type { TagSet } from './tag-sets.js';

/**
 * Counts the candidates that share a tag with a set, by a bit for each candidate: the bits of the set's tags are
 * united, 32 at a time, and counted. T × N / 32 steps for T tags and N candidates: meant for sets of many tags.
 *
 * A rare tag is stored as a list of its bits and only a common one as a bitmap, so that the memory is proportional to
 * the uses of tags, however many there are.
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

/** The number of set bits of 32: summed in pairs, then in fours, then in eights. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
