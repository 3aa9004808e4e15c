/** A text of each candidate in which a search looks, lower-cased once. */
export class SearchIndex {
  /** By position: the title, a line break, and the other texts and numbers. */
  readonly #texts: readonly string[];

  constructor(candidates: readonly object[], titleOf: (candidate: object) => string) {
    this.#texts = candidates.map((candidate) => `${titleOf(candidate)}\n${textOf(candidate)}`.toLowerCase());
  }

  /**
   * The positions of the candidates that have all words of a search: those whose title starts with it first, then those
   * that have it in the title, then the others, each in the order of the input. Linear.
   */
  find(search: string, most: number): readonly number[] {
    const wanted = search.trim().toLowerCase();
    if (wanted === '') return [];
    const words = wanted.split(/\s+/);
    const [starting, inTitle, others]: [number[], number[], number[]] = [[], [], []];
    for (const [position, text] of this.#texts.entries()) {
      if (!words.every((word) => text.includes(word))) continue;
      if (text.startsWith(wanted)) {
        if (starting.push(position) === most) break;
      } else if (others.length + inTitle.length < 2 * most) {
        const end = text.indexOf('\n');
        const isInTitle = words.every((word) => text.lastIndexOf(word, end) >= 0);
        (isInTitle ? inTitle : others).push(position);
      }
    }
    return [...starting, ...inTitle, ...others].slice(0, most);
  }
}

/** The texts and numbers of a candidate. */
const textOf = (candidate: object): string =>
  Object.values(candidate)
    .map((value: unknown) => (value instanceof Date ? value.toISOString() : value))
    .filter((value) => typeof value !== 'object')
    .join('\n');
