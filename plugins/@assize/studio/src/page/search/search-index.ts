/** A text of each candidate in which a search looks, lower-cased once. */
export class SearchIndex {
  /** By position: the title, and the other texts and numbers, each on a line. */
  readonly #texts: readonly string[];

  constructor(candidates: readonly object[], titleOf: (candidate: object) => string) {
    this.#texts = candidates.map((candidate) => `${titleOf(candidate)}\n${textOf(candidate)}\n`.toLowerCase());
  }

  /**
   * The positions of the candidates that have all words of a search: those with a text that is the search first, then those
   * whose title starts with it, those that have the words in the title, and the others; each by rank, unranked ones last.
   * Linear, and a sort of those found.
   *
   * @param ranks by position, from 1; 0 if a candidate is not ranked
   */
  find(search: string, most: number, ranks: Int32Array): readonly number[] {
    const wanted = search.trim().toLowerCase();
    if (wanted === '') return [];
    const words = wanted.split(/\s+/);
    const groups: readonly [number[], number[], number[], number[]] = [[], [], [], []];
    const whole = `${wanted}\n`;
    for (const [position, text] of this.#texts.entries()) {
      if (!words.every((word) => text.includes(word))) continue;
      const end = text.indexOf('\n');
      const isWhole = text.startsWith(whole) || text.includes(`\n${whole}`);
      const isInTitle = words.every((word) => text.indexOf(word) < end);
      groups[isWhole ? 0 : text.startsWith(wanted) ? 1 : isInTitle ? 2 : 3].push(position);
    }
    const placeOf = (position: number): number => ranks[position]! || Number.POSITIVE_INFINITY;
    const found: number[] = [];
    for (const group of groups) {
      if (found.length < most)
        found.push(...group.sort((a, b) => compare(placeOf(a), placeOf(b)) || a - b).slice(0, most - found.length));
    }
    return found;
  }
}

/** The texts and numbers of a candidate. */
const textOf = (candidate: object): string =>
  Object.values(candidate)
    .map((value: unknown) => (value instanceof Date ? value.toISOString() : value))
    .filter((value) => typeof value !== 'object')
    .join('\n');

/** Subtraction would give NaN for two infinite places. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
