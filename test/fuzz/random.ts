/** A repeatable source of choices: an input follows from its seed alone (splitmix32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 to less than 1. */
  next(): number {
    this.state = (this.state + 0x9e_37_79_b9) | 0;
    let mixed = this.state ^ (this.state >>> 16);
    mixed = Math.imul(mixed, 0x21_f0_aa_ad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x73_5a_2d_97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** At most this many values. */
  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}
